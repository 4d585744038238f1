import type { GameId } from "@holo/kernel/ids.ts";
import { LOG_FORMAT } from "@holo/table/log-record.ts";
import type { Fence } from "../../platform/servers/fence.ts";
import type { LogProjection } from "./game-projection.ts";
import type { EncodedRecord } from "./log-record.ts";

export interface GameWrite {
  readonly gameId: GameId;
  readonly encoded: Pick<EncodedRecord, "version" | "text" | "hash">;
  /** What holds after the record. */
  readonly row: LogProjection;
}

/** The columns of a row that are numbers, with their types. */
const NUMBERS = {
  at: "bigint",
  move_count: "int",
  player1_captures: "smallint",
  player2_captures: "smallint",
  player1_remaining_ms: "int",
  player2_remaining_ms: "int",
} as const satisfies Partial<Record<keyof LogProjection, string>>;
const numbers = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
const COLUMNS = `game_id, version, record, hash, board_state, ${numbers.join(", ")}`;

/**
 * Appends one record to each of several games, if the fence holds. The key (game, version) decides.
 * Texts and boards are passed as lines: neither JSON nor FEN has a line break.
 */
export const APPEND_BATCH = `
  with own as materialized (
    select from servers where server_id = $1 and ended_at is null
      and extract(epoch from pg_postmaster_start_time())::text = $2 for share)
  insert into game_log (format, ${COLUMNS})
  select ${LOG_FORMAT}, ${COLUMNS} from own,
    unnest($3::uuid[], $4::int[], string_to_array($5, chr(10)), $6::text[], string_to_array($7, chr(10)),
      ${numbers.map((column, index) => `$${index + 8}::${NUMBERS[column]}[]`).join(", ")})
      as line (${COLUMNS})
  on conflict do nothing`;

/** Formatted here: quoting by `pg`, element by element, costs more than the moves. */
export function toBatchValues({ serverId, databaseStart }: Fence, writes: readonly GameWrite[]): string[] {
  const toArray = (toItem: (write: GameWrite) => string | number): string => `{${writes.map(toItem).join()}}`;
  const toLines = (toLine: (write: GameWrite) => string): string => writes.map(toLine).join("\n");
  return [
    serverId,
    databaseStart,
    toArray(({ gameId }) => gameId),
    toArray(({ encoded }) => encoded.version),
    toLines(({ encoded }) => encoded.text),
    toArray(({ encoded }) => encoded.hash),
    toLines(({ row }) => row.board_state),
    ...numbers.map((column) => toArray(({ row }) => row[column])),
  ];
}
