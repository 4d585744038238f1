import type { Seat } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { type CheckersPosition, checkers } from "../checkers.ts";
import { parseBoard } from "../perft.ts";

interface Setup {
  readonly board: string;
  readonly turn: Seat;
}

const DARK = Array.from({ length: 64 }, (_, square) => square).filter((square) => ((square >> 3) + square) % 2 === 1);

function sprinkled(weights: Readonly<Record<string, number>>): fc.Arbitrary<Setup> {
  const sign = fc.oneof(
    ...Object.entries(weights).map(([value, weight]) => ({ weight, arbitrary: fc.constant(value) })),
  );
  return fc
    .record({ signs: fc.array(sign, { minLength: 32, maxLength: 32 }), turn: fc.constantFrom<Seat>(1, 2) })
    .map(({ signs, turn }) => ({ board: toBoard(signs), turn }))
    .filter(({ board }) => /[aAbB]/.test(board));
}

/** Puts the pieces on dark squares; drops men on their last row and pieces beyond 12 of a side. */
function toBoard(signs: readonly string[]): string {
  const board = Array.from({ length: 64 }, () => ".");
  const left = { a: 12, b: 12 };
  for (const [at, sign] of signs.entries()) {
    const square = DARK[at]!;
    const side = sign.toLowerCase();
    if ((sign === "a" && square < 8) || (sign === "b" && square >= 56)) continue;
    if (side !== "a" && side !== "b") continue;
    if (left[side] === 0) continue;
    left[side] -= 1;
    board[square] = sign;
  }
  return board.join("");
}

/** Boards of every kind: many men, mixed, kings only, and few kings against many. */
export const setups: fc.Arbitrary<Setup> = fc.oneof(
  sprinkled({ ".": 5, a: 4, b: 4, A: 1, B: 1 }),
  sprinkled({ ".": 8, a: 2, b: 2, A: 1, B: 1 }),
  sprinkled({ ".": 14, A: 1, B: 1, a: 1, b: 1 }),
  sprinkled({ ".": 8, A: 1, b: 3 }),
  sprinkled({ ".": 8, a: 3, B: 1 }),
);

export const endings: fc.Arbitrary<Setup> = sprinkled({ ".": 26, A: 2, B: 2, a: 1, b: 1 }).filter(({ board }) => {
  const pieces = board.replaceAll(".", "");
  return pieces.length <= 8 && /A/.test(pieces) && /B/.test(pieces);
});

export function toPosition({ board, turn }: Setup): CheckersPosition {
  const position = parseBoard(board, turn);
  if (!position.ok) throw new Error(`not a position: ${board}`);
  return position.value;
}

export function toBoardText(position: CheckersPosition): string {
  let text = "";
  for (let square = 0; square < 64; square += 1) {
    const piece = checkers.pieceAt(position, square);
    const sign = piece === null ? "." : piece.seat === 1 ? "a" : "b";
    text += piece?.kind === "crowned" ? sign.toUpperCase() : sign;
  }
  return text;
}

/** Choices among legal moves, each modulo their number, so that a game shrinks well. */
export const choices = fc.array(fc.nat({ max: 999 }), { maxLength: 120 });
