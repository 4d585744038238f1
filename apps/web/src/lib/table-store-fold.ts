import type { GameId } from "@holo/kernel/ids.ts";
import type { TableFrame } from "@holo/protocol/frames.ts";
import type { Cancelled, Entry } from "@holo/table/entry.ts";
import { evolve, open } from "@holo/table/evolve.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Rules } from "./games.ts";

export type Table = TableState<unknown>;

/** A table with what its state alone does not tell. */
export interface Fold {
  readonly table: Table;
  /** The moves in words, which only the position before each can tell. */
  readonly moveTexts: readonly string[];
  /** How it was cancelled, if it was. */
  readonly cancelled: Cancelled | null;
}

/** The table after more entries; a first entry begins it anew. Throws where a log breaks the rules. */
export function foldEntries(rules: Rules, gameId: GameId, before: Fold | null, entries: readonly Entry[]): Fold | null {
  return entries.reduce<Fold | null>((fold, entry) => {
    if (entry.version === 1) return { table: open(rules, gameId, entry), moveTexts: [], cancelled: null };
    return fold === null ? null : foldEntry(rules, fold, entry);
  }, before);
}

function foldEntry(rules: Rules, fold: Fold, entry: Entry): Fold {
  const table = evolve(rules, fold.table, entry);
  const cancelled = entry.events.find((event) => event.type === "cancelled") ?? null;
  return { table, moveTexts: followMoves(rules, fold, table), cancelled };
}

function followMoves(rules: Rules, { table: before, moveTexts }: Fold, table: Table): readonly string[] {
  const { length } = table.moves;
  if (length <= moveTexts.length) return length === moveTexts.length ? moveTexts : moveTexts.slice(0, length);
  return [...moveTexts, rules.formatMove(before.position, table.moves[length - 1]!.move)];
}

/** Whether a fold is where the server says the table is. */
export function isInStep(rules: Rules, fold: Fold, frame: Pick<TableFrame, "version" | "position">): boolean {
  return fold.table.version === frame.version && rules.formatPosition(fold.table.position) === frame.position;
}
