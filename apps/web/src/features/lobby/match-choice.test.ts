import type { AvailabilityView } from "@holo/protocol/views.ts";
import { describe, expect, it } from "vitest";
import { isWaiting } from "./match-choice.ts";

const WAITING: readonly AvailabilityView[] = [
  { game: "checkers", stake: 5, limitMinutes: 10, creators: ["p-ada"] },
  { game: "chess", stake: 1, limitMinutes: 5, creators: ["p-ada", "p-bola"] },
];

describe("an opponent is waiting", () => {
  it("on exactly the terms of a waiting game [CREATE-02]", () => {
    expect(isWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 }, "p-bola")).toBe(true);
    expect(isWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 5 }, "p-bola")).toBe(false);
    expect(isWaiting(WAITING, { game: "chess", stake: 5, limitMinutes: 10 }, "p-bola")).toBe(false);
  });

  it("never when it is only oneself", () => {
    expect(isWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 }, "p-ada")).toBe(false);
    expect(isWaiting(WAITING, { game: "chess", stake: 1, limitMinutes: 5 }, "p-ada")).toBe(true);
  });
});
