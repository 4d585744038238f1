import type { GameId } from "@holo/kernel/ids.ts";
import type { TableFrame } from "@holo/protocol/frames.ts";
import type { Entry } from "@holo/table/entry.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Rules } from "./games.ts";

export type Table = TableState<unknown>;

/** A table with its moves in words, which only the position before each can tell. */
export interface Fold {
  readonly table: Table;
  readonly moveTexts: readonly string[];
}

/** The table after more entries; a first entry begins it anew. Throws where a log breaks the rules. */
export function foldEntries(rules: Rules, gameId: GameId, before: Fold | null, entries: readonly Entry[]): Fold | null {
  return entries.reduce<Fold | null>((fold, entry) => {
    if (entry.version === 1) return { table: open(rules, gameId, entry), moveTexts: [] };
    return fold === null ? null : foldEntry(rules, fold, entry);
  }, before);
}

function foldEntry(rules: Rules, fold: Fold, entry: Entry): Fold {
  const table = evolve(rules, fold.table, entry);
  const { length } = table.moves;
  const known = fold.moveTexts.length;
  if (length === known) return { table, moveTexts: fold.moveTexts };
  if (length < known) return { table, moveTexts: fold.moveTexts.slice(0, length) };
  const text = rules.formatMove(fold.table.position, table.moves[length - 1]!.move);
  return { table, moveTexts: [...fold.moveTexts, text] };
}

/** Whether a fold is where the server says the table is. */
export function isInStep(rules: Rules, fold: Fold, frame: Pick<TableFrame, "version" | "position">): boolean {
  return fold.table.version === frame.version && rules.formatPosition(fold.table.position) === frame.position;
}
