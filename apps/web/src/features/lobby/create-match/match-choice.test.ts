import type { AvailabilityView } from "@holo/protocol/games.ts";
import { expect, it } from "vitest";
import { isOpponentWaiting } from "./match-choice.ts";

const WAITING: readonly AvailabilityView[] = [{ game: "checkers", stake: 5, limitMinutes: 10, count: 2 }];

it("an opponent waits on the exact terms of a pending game alone [CREATE-02]", () => {
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 })).toBe(true);
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 5 })).toBe(false);
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 2, limitMinutes: 10 })).toBe(false);
  expect(isOpponentWaiting(WAITING, { game: "chess", stake: 5, limitMinutes: 10 })).toBe(false);
});
