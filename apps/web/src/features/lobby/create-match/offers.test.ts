import type { Coins } from "@holo/kernel/money.ts";
import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { describe, expect, it } from "vitest";
import type { MatchChoice } from "./match-choice.ts";
import { findOffer, findSwitch } from "./offers.ts";

const OWN = playerIdOf("p-own");
const CHOICE: MatchChoice = { game: "checkers", stake: 2, limitMinutes: 5 };

function match(id: string, change: Partial<MatchView> = {}): MatchView {
  return {
    id: gameIdOf(id),
    game: "checkers",
    status: "pending",
    white: { id: playerIdOf("p-femi"), username: "Femi_O" },
    black: null,
    stake: 2,
    feeBps: 740,
    limitMinutes: 5,
    winner: null,
    moveCount: 0,
    board: ".".repeat(64),
    createdAt: 0,
    updatedAt: 0,
    ...change,
  };
}

const own = match("own", { white: { id: OWN, username: "own" } });

describe("an offer on the chosen terms", () => {
  it("is the one that waits longest", () => {
    const matches = [match("new", { createdAt: 9 }), match("old", { createdAt: 1 }), own];
    expect(findOffer(matches, OWN, CHOICE)?.id).toBe(gameIdOf("old"));
  });

  it("is never an own match, another game, stake or time, or a match that has begun", () => {
    const others = [match("1", { game: "chess" }), match("2", { stake: 5 }), match("3", { limitMinutes: 10 })];
    expect(findOffer([own, ...others, match("4", { status: "active" })], OWN, CHOICE)).toBeNull();
  });
});

describe("what a player who waits can switch to", () => {
  const hundred = 100_000_000n as Coins;

  it("is the same game before another, then the cheapest", () => {
    const chess = match("chess", { game: "chess", stake: 1 });
    const [five, one] = [match("five", { stake: 5 }), match("one", { stake: 1, limitMinutes: 10 })];
    expect(findSwitch([own, chess, five, one], OWN, CHOICE, hundred)?.id).toBe(gameIdOf("one"));
    expect(findSwitch([own, chess], OWN, CHOICE, hundred)?.id).toBe(gameIdOf("chess"));
  });

  it("costs coins if the own match does, and none if that is free", () => {
    const [free, one] = [match("free", { stake: 0, feeBps: 0 }), match("one", { stake: 1 })];
    expect(findSwitch([free, one], OWN, CHOICE, hundred)?.id).toBe(gameIdOf("one"));
    expect(findSwitch([free, one], OWN, { ...CHOICE, stake: 0 }, hundred)?.id).toBe(gameIdOf("free"));
  });

  it("is nothing that the player cannot pay", () => {
    expect(findSwitch([match("ten", { stake: 10 })], OWN, CHOICE, hundred)).toBeNull();
  });
});
