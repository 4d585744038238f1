import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules, Move, Piece } from "@holo/rules/rules.ts";
import { findLastRowStep } from "@holo/rules/square.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followBoard, placeInitialPieces } from "./piece-tracking.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

function boardOf<Position>(rules: GameRules<Position>, position: Position): (Piece | null)[] {
  return Array.from({ length: 64 }, (_, square) => rules.pieceAt(position, square));
}

function read<Position>(rules: GameRules<Position>, fen: string): Position {
  const position = rules.parsePosition(fen);
  if (!position.ok) throw new Error(`${fen} is no position`);
  return position.value;
}

function play<Position>(rules: GameRules<Position>, fen: string, text: string) {
  const position = read(rules, fen);
  const move = rules.parseMove(position, text);
  if (!move.ok) throw new Error(`${text} is no move`);
  const played = rules.play(position, move.value.path, move.value.promotion);
  if (!played.ok) throw new Error(`${text} cannot be played`);
  const before = placeInitialPieces(boardOf(rules, position));
  return { before, after: followBoard(before, boardOf(rules, played.value.position), played.value.move) };
}

function idAt(placing: ReturnType<typeof placeInitialPieces>, square: number): number | undefined {
  return placing.placed.find((placed) => placed.square === square)?.id;
}

describe("followBoard", () => {
  it("keeps the id of a capturing disc and lists what it took", () => {
    const { before, after } = play(checkers, "W:Wa1:Bb2,d4,h8", "a1:e5");
    expect(after.walk).toEqual({ id: idAt(before, 56), path: [56, 42, 28], was: null });
    expect(idAt(after, 28)).toBe(idAt(before, 56));
    expect(after.taken.map((placed) => placed.square).sort()).toEqual([35, 49]);
  });

  it("keeps the id of a crowned man and a promoted pawn", () => {
    const man = play(checkers, "W:Wc7:Bh2", "c7-b8");
    expect(man.after.placed.find((placed) => placed.square === 1)).toEqual({
      id: idAt(man.before, 10),
      square: 1,
      piece: { seat: 1, kind: "crowned" },
    });
    const pawn = play(chess, "7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b8=Q+");
    expect(idAt(pawn.after, 1)).toBe(idAt(pawn.before, 9));
    expect(pawn.after.taken).toEqual([]);
  });

  // [GAME-31 §2] A man or a pawn is drawn as what it was until it reaches the last row, also in a later leg of a
  // capture.
  it("remembers what a piece was until it reaches the last row, in a later leg too [GAME-31]", () => {
    const { after } = play(checkers, "W:Wb6:Bc7,e7", "b6:h4");
    expect(after.walk).toMatchObject({ path: [17, 3, 39], was: { seat: 1, kind: "man" } });
    expect(findLastRowStep(after.walk!.path, 1)).toBe(1);
    const later = play(checkers, "B:Wf4,d2:Bg5", "g5:c1").after;
    expect(later.walk?.was).toEqual({ seat: 2, kind: "man" });
    expect(findLastRowStep(later.walk!.path, 2)).toBe(2);
  });

  it("moves king and rook when castling", () => {
    const { before, after } = play(chess, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O");
    expect(idAt(after, 62)).toBe(idAt(before, 60));
    expect(idAt(after, 61)).toBe(idAt(before, 63));
    expect(idAt(after, 56)).toBe(idAt(before, 56));
  });

  it("moves a piece back on a takeback", () => {
    const start = checkers.start();
    const before = placeInitialPieces(boardOf(checkers, start));
    const played = checkers.play(start, [42, 35]);
    if (!played.ok) throw new Error("c3-d4 is legal");
    const after = followBoard(before, boardOf(checkers, played.value.position), played.value.move);
    const back = followBoard(after, boardOf(checkers, start), null);
    expect(back.placed).toEqual(before.placed);
  });

  it("always yields the board's pieces with unique ids", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(fc.nat(1_000), { maxLength: 40 }), (isChess, choices) => {
        const rules = (isChess ? chess : checkers) as GameRules<unknown>;
        let position = rules.start();
        let placing = placeInitialPieces(boardOf(rules, position));
        for (const choice of choices) {
          const moves: readonly Move[] = rules.legalMoves(position);
          const move = moves[choice % Math.max(1, moves.length)];
          if (move === undefined) break;
          const played = rules.play(position, move.path, move.promotion);
          if (!played.ok) throw new Error("a legal move was refused");
          position = played.value.position;
          const board = boardOf(rules, position);
          const count = placing.placed.length;
          placing = followBoard(placing, board, played.value.move);
          expect(placing.walk?.path).toEqual(move.path);
          expect(placing.taken.length).toBe(move.captured.length);
          expect(placing.placed.length).toBe(count - move.captured.length);
          expect(new Set(placing.placed.map((placed) => placed.id)).size).toBe(placing.placed.length);
          const shown = Array.from({ length: 64 }, (_, square) => {
            return placing.placed.find((placed) => placed.square === square)?.piece ?? null;
          });
          expect(shown).toEqual(board);
        }
      }),
      { numRuns: 40 },
    );
  });
});
