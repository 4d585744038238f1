import type { GameId } from "@holo/kernel/ids.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import { LOG_FORMAT } from "@holo/table/log-record.ts";
import type { TableState } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { toLogProjection } from "../log/game-projection.ts";
import { loadLog } from "../log/game-store.ts";
import { parseRecord, toChainedHash, toFirstHash } from "../log/log-record.ts";

/** Stores texts as the log of a game, chained from its first record. */
export async function insertLog(queries: Queries, gameId: GameId, texts: readonly string[]): Promise<void> {
  let hash = toFirstHash(gameId);
  let state: TableState<unknown> | null = null;
  const rows = texts.map((text) => {
    const record = parseRecord(text);
    const [first] = record.events;
    if (first?.type === "created") state = openTable(rulesOf(first.game), gameId, record);
    else state = evolve(rulesOf(state!.game), state!, record);
    hash = toChainedHash(hash, text);
    return {
      game_id: gameId,
      version: record.version,
      format: LOG_FORMAT,
      record: text,
      hash,
      ...toLogProjection(state),
    };
  });
  await sql`
    insert into game_log select * from jsonb_populate_recordset(null::game_log, ${JSON.stringify(rows)}::jsonb)`.execute(
    queries,
  );
}

/** Makes the log of an active game longer, by records that change nothing. Returns its version. */
export async function lengthenLog(queries: Queries, gameId: GameId, count: number): Promise<number> {
  const log = await loadLog(queries, gameId, 0);
  const newest = log.at(-1);
  if (newest === undefined) throw new Error("no such game");
  const { at } = parseRecord(newest.text);
  const texts = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ version: newest.version + 1 + index, at, by: 2, events: [{ type: "returned", seat: 2 }] }),
  );
  let { hash } = newest;
  const hashes = texts.map((text) => {
    hash = toChainedHash(hash, text);
    return hash;
  });
  await sql`
    insert into game_log (game_id, version, format, record, hash, at, board_state, move_count, player1_captures, player2_captures,
      player1_remaining_ms, player2_remaining_ms)
    select game_id, version + nth, format, t.record, t.hash, at, board_state, move_count, player1_captures, player2_captures,
      player1_remaining_ms, player2_remaining_ms
    from game_log cross join unnest(${texts}::text[], ${hashes}::text[]) with ordinality as t (record, hash, nth)
    where game_id = ${gameId} and version = ${newest.version}`.execute(queries);
  return newest.version + count;
}
