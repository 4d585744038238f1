import type { GameId } from "@holo/kernel/ids.ts";
import { LOG_FORMAT } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { loadLog } from "../log/game-store.ts";
import { parseRecord, toChainedHash, toFirstHash } from "../log/log-record.ts";

/** Stores texts as the log of a game, chained from its first record. */
export async function insertLog(queries: Queries, gameId: GameId, texts: readonly string[]): Promise<void> {
  let hash = toFirstHash(gameId);
  const hashes = texts.map((text) => {
    hash = toChainedHash(hash, text);
    return hash;
  });
  await sql`
    insert into game_log (game_id, version, format, record, at, hash)
    select ${gameId}, version, ${LOG_FORMAT}, record, (record::json ->> 'at')::bigint, hash
    from unnest(${[...texts]}::text[], ${hashes}::text[]) with ordinality as t (record, hash, version)`.execute(
    queries,
  );
}

/** Makes the log of an active game longer, by records that change nothing. Returns its version. */
export async function lengthenLog(queries: Queries, gameId: GameId, count: number): Promise<number> {
  const log = await loadLog(queries, gameId, 0);
  const newest = log.at(-1);
  if (newest === undefined) throw new Error("no such game");
  const { at } = parseRecord(newest.text);
  const version = newest.version + count;
  const texts = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ version: newest.version + 1 + index, at, by: 2, events: [{ type: "returned", seat: 2 }] }),
  );
  let { hash } = newest;
  const hashes = texts.map((text) => {
    hash = toChainedHash(hash, text);
    return hash;
  });
  await sql`
    with logged as (
      insert into game_log (game_id, version, format, record, at, hash)
      select ${gameId}, ${newest.version}::int + nth, ${LOG_FORMAT}, record, ${at}, hash
      from unnest(${texts}::text[], ${hashes}::text[]) with ordinality as t (record, hash, nth)
    ) update games set version = ${version} where id = ${gameId}`.execute(queries);
  return version;
}
