import type { GameId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { toChainedHash, toFirstHash } from "../log/log-record.ts";

/** Stores texts as the log of a game, chained from its first record. */
export async function insertLog(
  queries: Queries,
  gameId: GameId,
  texts: readonly string[],
  format: number,
): Promise<void> {
  let hash = toFirstHash(gameId);
  const hashes = texts.map((text) => {
    hash = toChainedHash(hash, text);
    return hash;
  });
  await sql`
    insert into game_log (game_id, version, format, entry, at, hash)
    select ${gameId}, version, ${format}, entry, (entry::json ->> 'at')::bigint, hash
    from unnest(${[...texts]}::text[], ${hashes}::text[]) with ordinality as t (entry, hash, version)`.execute(queries);
}
