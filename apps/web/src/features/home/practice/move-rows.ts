import type { PracticeGame } from "./practice-game.ts";

interface MoveRow {
  readonly number: number;
  /** White's move and black's; null for one before the game began or one not played yet. */
  readonly texts: readonly [string | null, string | null];
}

/** Numbered as in the game's notation. A position may begin with black's move. */
export function toMoveRows({ rules, position, plies }: PracticeGame): readonly MoveRow[] {
  const begun = plies[0]?.before ?? position;
  const skipped = rules.toMove(begun) === 1 ? 0 : 1;
  const first = rules.notation.firstNumber(begun);
  const textAt = (ply: number) => plies[ply - skipped]?.text ?? null;
  return Array.from({ length: Math.ceil((plies.length + skipped) / 2) }, (_, row) => ({
    number: first + row,
    texts: [textAt(2 * row), textAt(2 * row + 1)],
  }));
}
