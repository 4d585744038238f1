import { playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { AvailabilityView } from "@holo/protocol/games.ts";
import { describe, expect, it } from "vitest";
import { isOpponentWaiting } from "./match-choice.ts";

const WAITING: readonly AvailabilityView[] = [
  { game: "checkers", stake: 5, limitMinutes: 10, creators: [playerIdOf("p-ada")] },
  { game: "chess", stake: 1, limitMinutes: 5, creators: [playerIdOf("p-ada"), playerIdOf("p-bola")] },
];

describe("isOpponentWaiting", () => {
  it("requires the exact terms of a pending game [CREATE-02]", () => {
    expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 }, "p-bola")).toBe(true);
    expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 5 }, "p-bola")).toBe(false);
    expect(isOpponentWaiting(WAITING, { game: "chess", stake: 5, limitMinutes: 10 }, "p-bola")).toBe(false);
  });

  it("ignores the player's own game", () => {
    expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 }, "p-ada")).toBe(false);
    expect(isOpponentWaiting(WAITING, { game: "chess", stake: 1, limitMinutes: 5 }, "p-ada")).toBe(true);
  });
});
