import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../../platform/database/invariant.ts";

/** What two players wrote to each other, and that nobody else did. */
export const chatInvariants: readonly Invariant[] = [
  holds(
    "the chat of each game is numbered from 1 without gaps",
    sql`
      select 'game ' || game_id || ' has ' || count(*) || ' messages up to number ' || max(number) as found
      from chat_messages group by game_id having min(number) <> 1 or max(number) <> count(*) limit 1`,
  ),
  holds(
    "every message is of a player at its game's table, after both sat down",
    sql`
      select 'message ' || m.id || ' of ' || m.sender_id as found
      from chat_messages m left join games g on g.id = m.game_id
      where g.started_at is null or m.created_at < g.started_at or m.sender_id not in (g.player1_id, g.player2_id) limit 1`,
  ),
  keepsTriggers("chat is guarded against change", ["chat_messages chat_messages_append_only"]),
];
