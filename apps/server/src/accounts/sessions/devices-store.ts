import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

/** `email` is normalized. */
export async function isDeviceOf(queries: Queries, email: string, deviceHash: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_devices device join players player on player.id = device.player_id
    where player.email = ${email} and device.device_hash = ${deviceHash}`.execute(queries);
  return rows.length > 0;
}

const DEVICES_MAX = 20;

type DeviceNews = "first" | "new" | "known";

/** Records a login. `new`: the account has had other devices. The account must be locked. */
export async function saveDevice(tx: Tx, playerId: PlayerId, deviceHash: string, at: Instant): Promise<DeviceNews> {
  const stamp = toTimestamp(at);
  const { rows } = await sql<{ readonly device_hash: string }>`
    select device_hash from account_devices where player_id = ${playerId}`.execute(tx);
  await sql`
    insert into account_devices (player_id, device_hash, first_login_at, last_login_at)
    values (${playerId}, ${deviceHash}, ${stamp}, ${stamp})
    on conflict (player_id, device_hash) do update set last_login_at = excluded.last_login_at`.execute(tx);
  await sql`
    delete from account_devices where player_id = ${playerId} and device_hash in (
      select device_hash from account_devices where player_id = ${playerId}
      order by last_login_at desc, device_hash offset ${DEVICES_MAX})`.execute(tx);
  if (rows.length === 0) return "first";
  return rows.some((row) => row.device_hash === deviceHash) ? "known" : "new";
}

/** Latest login first. */
export async function loadDevices(
  queries: Queries,
  playerId: PlayerId,
): Promise<readonly { readonly firstLoginAt: Instant; readonly lastLoginAt: Instant }[]> {
  const { rows } = await sql<{ readonly first_login_at: Date; readonly last_login_at: Date }>`
    select first_login_at, last_login_at from account_devices where player_id = ${playerId}
    order by last_login_at desc, device_hash`.execute(queries);
  return rows.map((row) => ({
    firstLoginAt: fromTimestamp(row.first_login_at),
    lastLoginAt: fromTimestamp(row.last_login_at),
  }));
}

/** The account must be locked. */
export async function removeDevices(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from account_devices where player_id = ${playerId}`.execute(tx);
}

export async function removeUnusedDevices(queries: Queries, before: Instant): Promise<void> {
  await sql`delete from account_devices where last_login_at < ${toTimestamp(before)}`.execute(queries);
}
