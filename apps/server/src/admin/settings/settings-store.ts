import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { SettingChangeView } from "@holo/protocol/admin/settings.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/** "Sett" in ASCII: serializes changes, so that each is based on the current settings. */
const SETTINGS_LOCK = 0x53657474;

const LISTED = 100;

interface ChangeRow {
  readonly rate_kobo: number;
  readonly fee_bps: number;
}

function toSettings({ rate_kobo, fee_bps }: ChangeRow): SettingsView {
  return { rateKobo: rate_kobo, feeBps: fee_bps };
}

export async function lockSettings(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SETTINGS_LOCK})`.execute(tx);
}

export async function loadSettings(queries: Queries): Promise<SettingsView & { readonly id: bigint }> {
  const { rows } = await sql<ChangeRow & { readonly id: bigint }>`
    select id, rate_kobo, fee_bps from setting_changes order by id desc limit 1`.execute(queries);
  return { id: rows[0]!.id, ...toSettings(rows[0]!) };
}

/** Kobo for one holocoin at that instant. The first row is of 1970. */
export async function loadRateAt(queries: Queries, at: Instant): Promise<number> {
  const { rows } = await sql<{ readonly rate_kobo: number }>`
    select rate_kobo from setting_changes where at <= ${at} order by id desc limit 1`.execute(queries);
  return rows[0]!.rate_kobo;
}

/** The settings that this command produced; null if it has not been executed. */
export async function findChange(
  queries: Queries,
  playerId: PlayerId,
  commandId: CommandId,
): Promise<SettingsView | null> {
  const { rows } = await sql<ChangeRow>`
    select rate_kobo, fee_bps from setting_changes
    where player_id = ${playerId} and command_id = ${commandId}`.execute(queries);
  return rows[0] === undefined ? null : toSettings(rows[0]);
}

export async function saveChange(
  tx: Tx,
  change: SettingsView & {
    readonly playerId: PlayerId;
    readonly commandId: CommandId;
    readonly auditEventId: bigint;
    readonly at: Instant;
  },
): Promise<bigint> {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into setting_changes (at, player_id, command_id, audit_event_id, rate_kobo, fee_bps)
    values (${change.at}, ${change.playerId}, ${change.commandId}, ${change.auditEventId}, ${change.rateKobo}, ${change.feeBps})
    returning id`.execute(tx);
  return rows[0]!.id;
}

export async function loadChanges(queries: Queries): Promise<readonly SettingChangeView[]> {
  const { rows } = await sql<ChangeRow & { readonly at: bigint; readonly username: string | null }>`
    select change.at, coalesce(profile.username, change.player_id) as username, change.rate_kobo, change.fee_bps
    from setting_changes change left join profiles profile on profile.id = change.player_id
    order by change.id desc limit ${LISTED}`.execute(queries);
  return rows.map((row) => ({ at: Number(row.at), username: row.username, ...toSettings(row) }));
}
