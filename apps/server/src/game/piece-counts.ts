import { GAMES } from "@holo/rules/registry.ts";
import { type RawBuilder, sql } from "kysely";

/** The pieces of each player of a game, by the column with its type. */
export function pieceCountSql(gameType: string): RawBuilder<number> {
  const counts = GAMES.map(({ id, pieceCount }) => sql`when ${id} then ${pieceCount}::int`);
  return sql`case ${sql.ref(gameType)} ${sql.join(counts, sql` `)} end`;
}
