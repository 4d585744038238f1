import type { GameId } from "@holo/kernel/ids.ts";
import { LOG_FORMAT } from "@holo/table/log-record.ts";
import type { GameProjection } from "./game-projection.ts";
import type { EncodedRecord } from "./log-record.ts";

export interface GameWrite {
  readonly gameId: GameId;
  readonly encoded: Pick<EncodedRecord, "version" | "text" | "hash">;
  /** Of the record before. */
  readonly hashBefore: string;
  readonly game: GameProjection;
}

/** The columns that a record of a running game can change, with their types. */
const MOVE_COLUMNS = {
  move_count: "int",
  current_turn: "int",
  player1_captures: "int",
  player2_captures: "int",
  player1_remaining_ms: "int",
  player2_remaining_ms: "int",
  updated_at: "bigint",
  deadline_at: "bigint",
} as const satisfies Partial<Record<keyof GameProjection, string>>;
const moveColumns = Object.keys(MOVE_COLUMNS) as (keyof typeof MOVE_COLUMNS)[];

/** Compared by value: a failover can lose records that tables in memory have. */
export const HASH_BEFORE =
  "(select before.hash from game_log before where before.game_id = t.game_id and before.version = t.version - 1)";

/**
 * Appends one record to each of several games. Skips rows that do not continue their game's log.
 * Texts and boards are passed as lines: neither JSON nor FEN has a line break.
 */
export const APPEND_BATCH = toAppend("");

/** The same, but skips games that are locked instead of waiting for them. */
export const APPEND_UNLOCKED = toAppend(
  "and game_id in (select id from games where id = any($1::uuid[]) for no key update skip locked)",
);

/** Updates the games first: their locks keep two servers apart, so inserts never conflict. */
function toAppend(condition: string): string {
  return `
  with moved as (
    update games set version = input.version, board_state = input.board_state,
      ${moveColumns.map((column) => `${column} = input.${column}`).join(", ")}
    from (
      select * from unnest($1::uuid[], $2::int[], string_to_array($3, chr(10)), $4::text[], string_to_array($5, chr(10)), $6::text[],
        ${moveColumns.map((column, index) => `$${index + 7}::${MOVE_COLUMNS[column]}[]`).join(", ")})
        as t (game_id, version, record, hash, board_state, hash_before, ${moveColumns.join(", ")})
      where hash_before = ${HASH_BEFORE} ${condition}
    ) as input
    where games.id = input.game_id and games.version = input.version - 1
    returning input.game_id, input.version, input.record, input.updated_at, input.hash
  )
  insert into game_log (game_id, version, format, record, at, hash)
  select game_id, version, ${LOG_FORMAT}, record, updated_at, hash from moved`;
}

/** Formatted here: quoting by `pg`, element by element, costs more than the moves. */
export function toBatchValues(batch: readonly GameWrite[]): string[] {
  // The statement locks the games in this order: batches of two servers would block each other.
  const writes = batch.toSorted((one, other) => (one.gameId < other.gameId ? -1 : 1));
  const toArray = (toItem: (write: GameWrite) => string | number): string => `{${writes.map(toItem).join()}}`;
  const toLines = (toLine: (write: GameWrite) => string): string => writes.map(toLine).join("\n");
  return [
    toArray(({ gameId }) => gameId),
    toArray(({ encoded }) => encoded.version),
    toLines(({ encoded }) => encoded.text),
    toArray(({ encoded }) => encoded.hash),
    toLines(({ game }) => game.board_state),
    toArray(({ hashBefore }) => hashBefore),
    ...moveColumns.map((column) => toArray(({ game }) => game[column] ?? "null")),
  ];
}
