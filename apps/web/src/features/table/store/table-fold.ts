import type { GameId } from "@holo/kernel/ids.ts";
import type { TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { Cancelled, LogRecord } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Rules } from "../../../shared/board/game-rules.ts";

export type Table = TableState<unknown>;

export interface TableFold {
  readonly table: Table;
  /** Moves as text. They depend on the position before each move. */
  readonly moveTexts: readonly string[];
  readonly positions: readonly unknown[];
  readonly records: readonly LogRecord[];
  readonly cancelled: Cancelled | null;
}

/** Record 1 starts the fold over. Throws if a record breaks the rules. */
export function foldRecords(
  rules: Rules,
  gameId: GameId,
  before: TableFold | null,
  records: readonly LogRecord[],
): TableFold | null {
  return records.reduce<TableFold | null>((fold, record) => {
    if (record.version === 1) return beginFold(openTable(rules, gameId, record), record);
    return fold === null ? null : foldRecord(rules, fold, record);
  }, before);
}

function beginFold(table: Table, record: LogRecord): TableFold {
  return { table, moveTexts: [], positions: [table.position], records: [record], cancelled: null };
}

function foldRecord(rules: Rules, fold: TableFold, record: LogRecord): TableFold {
  const table = evolve(rules, fold.table, record);
  const cancelled = record.events.find((event) => event.type === "cancelled") ?? null;
  return { ...followMoves(rules, fold, table), table, records: [...fold.records, record], cancelled };
}

/** One move more, or fewer after a takeback. */
function followMoves(
  rules: Rules,
  fold: TableFold,
  { moves, position }: Table,
): Pick<TableFold, "moveTexts" | "positions"> {
  const { moveTexts, positions, table: before } = fold;
  const { length } = moves;
  if (length <= moveTexts.length) {
    if (length === moveTexts.length) return { moveTexts, positions };
    return { moveTexts: moveTexts.slice(0, length), positions: positions.slice(0, length + 1) };
  }
  const text = rules.formatMove(before.position, moves.at(-1)!.move);
  return { moveTexts: [...moveTexts, text], positions: [...positions, position] };
}

function isInSync(rules: Rules, fold: TableFold, frame: Pick<TableFrame, "version" | "position">): boolean {
  return fold.table.version === frame.version && rules.formatPosition(fold.table.position) === frame.position;
}

interface SyncedFold {
  addTable(rules: Rules, frame: TableFrame): TableFold | null;
  addRecord(rules: Rules, record: LogRecord): TableFold | null;
}

/** `onOutOfSync` is called when the fold starts over, with whether that is the first time. */
export function createSyncedFold(gameId: GameId, onOutOfSync: (isFirst: boolean) => void): SyncedFold {
  let fold: TableFold | null = null;
  let restarts = 0;

  function add(rules: Rules, records: readonly LogRecord[]): TableFold | null | undefined {
    try {
      fold = foldRecords(rules, gameId, fold, records);
      return fold;
    } catch {
      // The page may have missed a record; only a restart shows it.
      return undefined;
    }
  }

  function restart(): null {
    fold = null;
    restarts += 1;
    onOutOfSync(restarts === 1);
    return null;
  }

  return {
    addTable(rules, frame) {
      const added = add(rules, frame.records);
      if (added == null || !isInSync(rules, added, frame)) return restart();
      restarts = 0;
      return added;
    },
    addRecord(rules, record) {
      const added = add(rules, [record]);
      return added === undefined ? restart() : added;
    },
  };
}
