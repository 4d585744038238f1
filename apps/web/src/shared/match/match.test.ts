import { formatCoins } from "@holo/kernel/money.ts";
import { gameIdOf, playerIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { describe, expect, it } from "vitest";
import { formatMode, parseBoard, seatOf, toResult } from "./match.ts";

const MATCH: MatchView = {
  id: gameIdOf("g1"),
  game: "checkers",
  status: "completed",
  white: { id: playerIdOf("p-femi"), username: "Femi_O" },
  black: { id: playerIdOf("p-amaka"), username: "AmakaPlays" },
  stake: 2,
  feeBps: 740,
  limitMinutes: 5,
  winner: 2,
  moveCount: 41,
  board: ".".repeat(64),
  createdAt: 0,
  updatedAt: 0,
};

function net(match: MatchView, seat: 1 | 2): string {
  const result = toResult(match, seat);
  return result === null ? "open" : `${result.type} ${formatCoins(result.net)}`;
}

describe("the result of a match", () => {
  it("is winnings less buy-in, never the pot", () => {
    expect(net(MATCH, 2)).toBe("won 22.22");
    expect(net(MATCH, 1)).toBe("lost −25.78");
  });

  it("is minus the fee for a draw", () => {
    expect(net({ ...MATCH, winner: null }, 1)).toBe("drawn −1.78");
  });

  it("counts sixteen pieces in chess", () => {
    expect(net({ ...MATCH, game: "chess" }, 1)).toBe("lost −34.37");
  });

  it("uses the fee of its own game", () => {
    expect(net({ ...MATCH, feeBps: 0 }, 2)).toBe("won 24.00");
  });

  it("is zero after a refund", () => {
    expect(net({ ...MATCH, status: "cancelled", winner: null }, 1)).toBe("refunded 0.00");
  });

  it("is unknown while the match is open", () => {
    expect(net({ ...MATCH, status: "active", winner: null }, 1)).toBe("open");
    expect(net({ ...MATCH, status: "pending", winner: null, black: null }, 1)).toBe("open");
  });
});

describe("a match", () => {
  it("finds its players' seats [ENT-03]", () => {
    expect(seatOf(MATCH, "p-femi")).toBe(1);
    expect(seatOf(MATCH, "p-amaka")).toBe(2);
    expect(seatOf(MATCH, "p-other")).toBeNull();
    expect(seatOf({ ...MATCH, black: null }, undefined)).toBeNull();
  });

  it("names game and time", () => {
    expect(formatMode("chess", 10)).toBe("Chess, 10 minutes");
  });
});

describe("the board of a match", () => {
  // [ENT-17 §3,9] The board has 64 squares from a8, named a1 to h8. Chess positions are FEN.
  it("parses discs by player and rank [ENT-17]", () => {
    expect(parseBoard("checkers", ".aAbB")).toEqual([
      null,
      { seat: 1, kind: "man" },
      { seat: 1, kind: "crowned" },
      { seat: 2, kind: "man" },
      { seat: 2, kind: "crowned" },
    ]);
  });

  it("parses chess pieces by FEN letters [ENT-17]", () => {
    expect(parseBoard("chess", "Kb.")).toEqual([{ seat: 1, kind: "king" }, { seat: 2, kind: "bishop" }, null]);
  });
});
