import { chess } from "@holo/chess/chess.ts";
import type { Promotion, Seat } from "@holo/rules/rules.ts";
import { parseSquare } from "@holo/rules/square.ts";
import { describe, expect, it } from "vitest";
import { choosePath, completeMove, keepOwnMove, NO_MOVE } from "./own-move.ts";

const PROMOTING = "8/P6k/8/8/8/8/8/7K w - - 0 1";
const position = read(PROMOTING);
const moves = chess.legalMoves(position).filter(({ promotion }) => promotion === undefined || promotion === "q");

function read(fen: string) {
  const parsed = chess.parsePosition(fen);
  if (!parsed.ok) throw new Error(`${fen} is not a position`);
  return parsed.value;
}

function path(names: string): readonly number[] {
  return names.split(" ").map((name) => {
    const square = parseSquare(name);
    if (!square.ok) throw new Error(`${name} is not a square`);
    return square.value;
  });
}

function choice(switched: { readonly promotion?: true; readonly confirmation?: true; readonly ahead?: true } = {}) {
  return {
    shown: { rules: chess, table: { position, boardVersion: 7 } },
    seat: 1 as Seat,
    isPremove: switched.ahead === true,
    settings: { promotionChoice: switched.promotion === true, moveConfirmation: switched.confirmation === true },
  } as const;
}

describe("choosePath", () => {
  // [CHESS-08 §4 r20] A pawn promotes to a queen, unless the player has switched on the choice.
  it("plays at once and promotes to a queen by default [CHESS-08]", () => {
    expect(choosePath(choice(), moves, path("a7 a8"))).toEqual({ type: "play", path: path("a7 a8") });
    expect(choosePath(choice({ promotion: true }), moves, path("h1 g1"))).toEqual({
      type: "play",
      path: path("h1 g1"),
    });
  });

  it("asks for the promotion if the player wants to choose, for premoves too", () => {
    const at = { boardVersion: 7, isPremove: false };
    const asked = { type: "promoting", path: path("a7 a8"), at };
    expect(choosePath(choice({ promotion: true, confirmation: true }), moves, path("a7 a8"))).toEqual(asked);
    expect(choosePath(choice({ promotion: true, ahead: true }), moves, path("a7 a8")).type).toBe("promoting");
  });

  it("shows a move that must be confirmed as tentative", () => {
    const chosen = choosePath(choice({ confirmation: true }), moves, path("h1 g1"));
    expect(chosen).toMatchObject({ type: "tentative", text: "Kg1", at: { boardVersion: 7 } });
  });

  it("keeps a premove without confirmation on the opponent's turn", () => {
    const chosen = choosePath(choice({ ahead: true, confirmation: true }), moves, path("h1 g1"));
    expect(chosen).toEqual({ type: "premove", premove: { seat: 1, path: path("h1 g1") } });
  });
});

describe("completeMove", () => {
  it.each<Promotion>(["q", "r", "b", "n"])("keeps the promotion to %s", (promotion) => {
    expect(completeMove(choice(), path("a7 a8"), promotion)).toMatchObject({ type: "play", promotion });
    expect(completeMove(choice({ ahead: true }), path("a7 a8"), promotion)).toMatchObject({ premove: { promotion } });
    const drawn = completeMove(choice({ confirmation: true }), path("a7 a8"), promotion);
    expect(drawn).toMatchObject({ type: "tentative", played: { move: { promotion } } });
  });

  it("drops an illegal move", () => {
    expect(completeMove(choice({ confirmation: true }), path("h1 h3"))).toEqual(NO_MOVE);
  });
});

describe("keepOwnMove", () => {
  const drawn = completeMove(choice({ confirmation: true }), path("h1 g1"));
  if (drawn.type !== "tentative") throw new Error("the move is not tentative");

  it("keeps the move while the board is unchanged", () => {
    expect(keepOwnMove(drawn, { boardVersion: 7, isPremove: false })).toBe(drawn);
  });

  it("drops the move with another board or another turn", () => {
    expect(keepOwnMove(drawn, { boardVersion: 8, isPremove: false })).toEqual(NO_MOVE);
    expect(keepOwnMove(drawn, { boardVersion: 7, isPremove: true })).toEqual(NO_MOVE);
    expect(keepOwnMove(drawn, null)).toEqual(NO_MOVE);
  });
});
