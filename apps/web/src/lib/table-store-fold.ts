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
  /** The position at the start and after each of the moves. */
  readonly positions: readonly unknown[];
  /** The log so far. */
  readonly entries: readonly Entry[];
  /** How it was cancelled, if it was. */
  readonly cancelled: Cancelled | null;
}

/** The table after more entries; a first entry begins it anew. Throws where a log breaks the rules. */
export function foldEntries(rules: Rules, gameId: GameId, before: Fold | null, entries: readonly Entry[]): Fold | null {
  return entries.reduce<Fold | null>((fold, entry) => {
    if (entry.version === 1) return beginFold(open(rules, gameId, entry), entry);
    return fold === null ? null : foldEntry(rules, fold, entry);
  }, before);
}

function beginFold(table: Table, entry: Entry): Fold {
  return { table, moveTexts: [], positions: [table.position], entries: [entry], cancelled: null };
}

function foldEntry(rules: Rules, fold: Fold, entry: Entry): Fold {
  const table = evolve(rules, fold.table, entry);
  const cancelled = entry.events.find((event) => event.type === "cancelled") ?? null;
  return { ...followMoves(rules, fold, table), table, entries: [...fold.entries, entry], cancelled };
}

/** One move more, or fewer where moves were taken back. */
function followMoves(rules: Rules, fold: Fold, { moves, position }: Table): Pick<Fold, "moveTexts" | "positions"> {
  const { moveTexts, positions, table: before } = fold;
  const { length } = moves;
  if (length <= moveTexts.length) {
    if (length === moveTexts.length) return { moveTexts, positions };
    return { moveTexts: moveTexts.slice(0, length), positions: positions.slice(0, length + 1) };
  }
  const text = rules.formatMove(before.position, moves[length - 1]!.move);
  return { moveTexts: [...moveTexts, text], positions: [...positions, position] };
}

/** Whether a fold is where the server says the table is. */
export function isInStep(rules: Rules, fold: Fold, frame: Pick<TableFrame, "version" | "position">): boolean {
  return fold.table.version === frame.version && rules.formatPosition(fold.table.position) === frame.position;
}
