import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ReportState } from "@holo/protocol/admin/moderation.ts";
import type { ReportOutcome, ReportReason } from "@holo/protocol/report-terms.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

interface Report {
  readonly id: string;
  readonly reporterId: PlayerId;
  readonly gameId: GameId;
  readonly playerId: PlayerId | null;
  readonly reason: ReportReason;
  readonly text: string;
}

/** Serializes a player's reports across servers until the transaction ends. */
export async function lockReporter(tx: Tx, reporterId: PlayerId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`report ${reporterId}`}))`.execute(tx);
}

export async function hasReported(
  tx: Tx,
  { reporterId, gameId, playerId, reason, text }: Omit<Report, "id">,
): Promise<boolean> {
  const { rows } = await sql`
    select from reports
    where reporter_id = ${reporterId} and game_id = ${gameId} and player_id is not distinct from ${playerId}::text
      and reason = ${reason} and text = ${text}`.execute(tx);
  return rows.length > 0;
}

export async function countReportsSince(tx: Tx, reporterId: PlayerId, since: Instant): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from reports
    where reporter_id = ${reporterId} and created_at > ${toTimestamp(since)}`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function saveReport(tx: Tx, report: Report, at: Instant): Promise<void> {
  const { id, reporterId, gameId, playerId, reason, text } = report;
  await sql`
    insert into reports (id, reporter_id, game_id, player_id, reason, text, created_at)
    values (${id}, ${reporterId}, ${gameId}, ${playerId}, ${reason}, ${text}, ${toTimestamp(at)})`.execute(tx);
}

export interface ListedReport extends Report {
  readonly players: readonly (PlayerId | null)[];
  readonly at: Instant;
  readonly state: ReportState;
  readonly ended: {
    readonly outcome: ReportOutcome;
    readonly note: string;
    readonly by: PlayerId;
    readonly at: Instant;
  } | null;
}

export interface ReportsPage {
  readonly state: ReportState | null;
  readonly playerId: PlayerId | null;
  /** The admin; reports about themselves are omitted. */
  readonly viewerId: PlayerId;
  readonly after: string | null;
  readonly limit: number;
}

/** Open reports oldest first, others newest first. */
export async function loadReports(
  queries: Queries,
  { state, playerId, viewerId, after, limit }: ReportsPage,
): Promise<readonly ListedReport[]> {
  const isUpward = state === "open";
  const order = isUpward ? sql`report.created_at, report.id` : sql`report.created_at desc, report.id desc`;
  const beyond = isUpward ? sql`>` : sql`<`;
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from reports report left join audit_events done on done.id = report.audit_event_id
    where (${state}::text is null or report.state = ${state}) and (${playerId}::text is null or report.player_id = ${playerId})
      and report.player_id is distinct from ${viewerId}
      and (${after}::uuid is null
        or (report.created_at, report.id) ${beyond} (select last.created_at, last.id from reports last where last.id = ${after}::uuid))
    order by ${order} limit ${limit}`.execute(queries);
  return rows.map(toListed);
}

/** The players of a reported game; the viewer's own report counts only if they played. */
export async function findReportedPlayers(
  queries: Queries,
  gameId: GameId,
  viewerId: PlayerId,
): Promise<readonly (PlayerId | null)[] | null> {
  const { rows } = await sql<{ readonly players: readonly (PlayerId | null)[] }>`
    select array[player1_id, player2_id] as players from games
    where id = ${gameId} and exists (
      select from reports where game_id = ${gameId}
        and (reporter_id <> ${viewerId} or ${viewerId} in (player1_id, player2_id)))`.execute(queries);
  return rows[0]?.players ?? null;
}

/** Locks a report until the transaction ends; null without such a report. */
export async function lockReport(tx: Tx, id: string): Promise<ListedReport | null> {
  await sql`select from reports where id = ${id} for update`.execute(tx);
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from reports report left join audit_events done on done.id = report.audit_event_id where report.id = ${id}`.execute(
    tx,
  );
  return rows[0] === undefined ? null : toListed(rows[0]);
}

export async function saveReportEnd(
  tx: Tx,
  end: {
    readonly id: string;
    readonly outcome: ReportOutcome;
    readonly note: string;
    readonly auditEventId: bigint;
    readonly at: Instant;
  },
): Promise<void> {
  await sql`
    update reports set state = 'closed', outcome = ${end.outcome}, note = ${end.note}, ended_at = ${end.at}, audit_event_id = ${end.auditEventId}
    where id = ${end.id}`.execute(tx);
}

interface ReportRow {
  readonly players: readonly (PlayerId | null)[];
  readonly id: string;
  readonly reporter_id: PlayerId;
  readonly game_id: GameId;
  readonly player_id: PlayerId | null;
  readonly reason: ReportReason;
  readonly text: string;
  readonly created_at: Date;
  readonly state: ReportState;
  readonly outcome: ReportOutcome | null;
  readonly note: string | null;
  readonly ended_at: bigint | null;
  readonly ended_by: PlayerId | null;
}

const COLUMNS = sql`report.id, report.reporter_id, report.game_id, report.player_id, report.reason, report.text, report.created_at, report.state,
  report.outcome, report.note, report.ended_at, done.player_id as ended_by,
  (select array[game.player1_id, game.player2_id] from games game where game.id = report.game_id) as players`;

function toListed(row: ReportRow): ListedReport {
  const { outcome, note, ended_at: endedAt, ended_by: by } = row;
  return {
    id: row.id,
    reporterId: row.reporter_id,
    gameId: row.game_id,
    players: row.players,
    playerId: row.player_id,
    reason: row.reason,
    text: row.text,
    at: fromTimestamp(row.created_at),
    state: row.state,
    ended:
      outcome === null || note === null || by === null ? null : { outcome, note, by, at: Number(endedAt) as Instant },
  };
}

/**
 * Those of `others` who are the player's opponents in an open game or an open report. Reports by
 * spectators do not count: otherwise anyone could keep staff from acting on them.
 */
export async function loadConflictingPlayers(
  queries: Queries,
  playerId: PlayerId,
  others: readonly PlayerId[],
): Promise<ReadonlySet<PlayerId>> {
  const ids = [...others];
  const { rows } = await sql<{ readonly id: PlayerId }>`
    select theirs.player_id as id from seats own join seats theirs on theirs.game_id = own.game_id
      where own.player_id = ${playerId} and theirs.player_id <> ${playerId} and theirs.player_id = any(${ids})
    union select player_id from reports
      where state = 'open' and reporter_id = ${playerId} and player_id = any(${ids})
    union select report.reporter_id from reports report join games game on game.id = report.game_id
      where report.state = 'open' and report.player_id = ${playerId} and report.reporter_id = any(${ids})
        and report.reporter_id in (game.player1_id, game.player2_id)`.execute(queries);
  return new Set(rows.map(({ id }) => id));
}
