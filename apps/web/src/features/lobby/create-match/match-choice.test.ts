import type { AvailabilityView } from "@holo/protocol/game/games.ts";
import { expect, it } from "vitest";
import { isOpponentWaiting, readChoice, toChoicePath } from "./match-choice.ts";

const WAITING: readonly AvailabilityView[] = [{ game: "checkers", stake: 5, limitMinutes: 10, count: 2 }];

// [CREATE-02 §2 r2,23] A table of available matches has a row per stake and columns for 5min and 10min. A green dot
// marks an opponent with whom Create Match would seat the player, and updates.
it("an opponent waits on the exact terms of a pending game alone [CREATE-02]", () => {
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 10 })).toBe(true);
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 5, limitMinutes: 5 })).toBe(false);
  expect(isOpponentWaiting(WAITING, { game: "checkers", stake: 2, limitMinutes: 10 })).toBe(false);
  expect(isOpponentWaiting(WAITING, { game: "chess", stake: 5, limitMinutes: 10 })).toBe(false);
});

it("is kept in the page's address, so that a deposit leads back to it", () => {
  const choice = { game: "chess", stake: 10, limitMinutes: 10 } as const;
  for (const byInvitation of [true, false]) {
    expect(readChoice(toChoicePath(choice, byInvitation).split("?")[1]!)).toEqual({ choice, byInvitation });
  }
  const usual = { choice: { game: "checkers", stake: 1, limitMinutes: 5 }, byInvitation: false };
  expect(readChoice("")).toEqual(usual);
  expect(readChoice("?game=go&stake=3&minutes=5e0&opponent=x")).toEqual(usual);
});
