import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../database/database.ts";
import { toTimestamp } from "../database/timestamp.ts";
import type { PushSubscription } from "./pusher.ts";

const PER_PLAYER_MAX = 10;

/** Replaces the browser's earlier login. A player has at most ten; the earliest logins go first. */
export async function saveSubscription(
  tx: Tx,
  playerId: PlayerId,
  token: string,
  { endpoint, keys }: PushSubscription,
): Promise<void> {
  await sql`
    insert into push_subscriptions (endpoint, session_id, p256dh, auth)
    select ${endpoint}, session.id, ${keys.p256dh}, ${keys.auth} from sessions session
    where session.token = ${token} and session.player_id = ${playerId}
    on conflict (endpoint) do update
      set session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth`.execute(tx);
  await sql`
    delete from push_subscriptions where endpoint in (
      select endpoint from push_subscriptions join sessions session on session.id = session_id
      where session.player_id = ${playerId}
      order by session.started_at desc, endpoint offset ${PER_PLAYER_MAX})`.execute(tx);
}

export async function removeSubscription(queries: Queries, endpoint: string): Promise<void> {
  await sql`delete from push_subscriptions where endpoint = ${endpoint}`.execute(queries);
}

/** Only its own player removes one at will. */
export async function removeOwnSubscription(queries: Queries, playerId: PlayerId, endpoint: string): Promise<void> {
  await sql`
    delete from push_subscriptions using sessions session
    where endpoint = ${endpoint} and session.id = session_id and session.player_id = ${playerId}`.execute(queries);
}

/**
 * None for a player who excluded themselves (ruling 45) or switched notifications off, and none
 * whose login has expired.
 */
export async function loadSubscriptions(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<readonly PushSubscription[]> {
  const { rows } = await sql<{ readonly endpoint: string; readonly p256dh: string; readonly auth: string }>`
    select endpoint, p256dh, auth from push_subscriptions
    join sessions session on session.id = session_id
    join profiles profile on profile.id = session.player_id and profile.notifications_enabled
    where session.player_id = ${playerId} and session.expires_at > ${toTimestamp(now)}
      and not exists (select from self_exclusions excluded
        where excluded.player_id = ${playerId} and excluded.until_at > ${now})`.execute(queries);
  return rows.map(({ endpoint, p256dh, auth }) => ({ endpoint, keys: { p256dh, auth } }));
}
