import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { AuditEventsView, AuditEventType } from "@holo/protocol/admin/staff.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

interface NewAuditEvent {
  /** Null: the server, by its configuration. */
  readonly playerId: PlayerId | null;
  readonly action: AuditEventType;
  /** The object of the action, at most 300 characters: an address, a reference. */
  readonly subject: string;
  /**
   * At most 1,000 characters. Kept forever, so it contains no player names: those are erased with
   * the account.
   */
  readonly detail: string;
  readonly at: Instant;
}

const PAGE_SIZE = 50;

/** Appends the event in the transaction of the action and returns its id. */
export async function recordAuditEvent(
  tx: Tx,
  { playerId, action, subject, detail, at }: NewAuditEvent,
): Promise<bigint> {
  const { rows } = await sql<{ readonly id: bigint }>`
    insert into audit_events (at, player_id, action, subject, detail)
    values (${at}, ${playerId}, ${action}, ${subject}, ${detail}) returning id`.execute(tx);
  return rows[0]!.id;
}

/** Current name of the action's player, or of both players of a cancelled game. */
const SUBJECT_NAMES = sql<string | null>`
  case when event.action in ('player_banned', 'player_unbanned', 'withdrawals_held', 'withdrawals_released', 'owner_verified',
      'sessions_ended', 'second_factor_removed')
    then (select username from profiles where id = event.subject)
  when event.action = 'game_cancelled' then (
    select coalesce(white.username, game.player1_id) || ' against ' || coalesce(black.username, game.player2_id)
    from games game
    left join profiles white on white.id = game.player1_id
    left join profiles black on black.id = game.player2_id
    where game.id = case when event.action = 'game_cancelled' then event.subject::uuid end) end`;

/**
 * The newest events, 50 per page; `before` is the id of an event, for older ones. The detail begins
 * with the players' names. Omits what was decided about the viewer: by a report, or about coins.
 */
export async function loadAuditEvents(
  queries: Queries,
  viewerId: PlayerId | null,
  before: string | null,
): Promise<AuditEventsView> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly at: bigint;
    readonly username: string | null;
    readonly action: AuditEventType;
    readonly subject: string;
    readonly about: string | null;
    readonly detail: string;
  }>`
    select event.id, event.at, coalesce(profile.username, event.player_id) as username, event.action, event.subject, ${SUBJECT_NAMES} as about,
      event.detail
    from audit_events event left join profiles profile on profile.id = event.player_id
    where (${before}::bigint is null or event.id < ${before}::bigint)
      and not (event.action = 'report_ended'
        and exists (select from reports report where report.audit_event_id = event.id and report.player_id = ${viewerId}::text))
      and not exists (select from fair_play_cases fair where fair.id = event.subject and ${viewerId}::text = any(fair.concerned))
    order by event.id desc limit ${PAGE_SIZE + 1}`.execute(queries);
  const page = rows.slice(0, PAGE_SIZE);
  return {
    events: page.map(({ action, about, detail, ...row }) => ({
      ...row,
      action,
      id: String(row.id),
      at: Number(row.at),
      detail: about === null ? detail : `${about}: ${detail}`,
    })),
    next: rows.length > PAGE_SIZE ? String(page.at(-1)!.id) : null,
  };
}
