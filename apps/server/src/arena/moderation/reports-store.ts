import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ReportState } from "@holo/protocol/admin/moderation.ts";
import type { ReportOutcome, ReportReason } from "@holo/protocol/report-terms.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";

export interface Report {
  readonly id: string;
  readonly reporterId: PlayerId;
  readonly gameId: GameId;
  /** Null where it is about the game itself. */
  readonly playerId: PlayerId | null;
  readonly reason: ReportReason;
  readonly text: string;
}

/** One report of a player's at a time, on whatever node: held until the transaction ends. */
export async function lockReporter(tx: Tx, reporterId: PlayerId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`report ${reporterId}`}))`.execute(tx);
}

/** The id of the report that this player made before of the same; null where there is none. */
export async function findReport(
  tx: Tx,
  { reporterId, gameId, playerId }: Pick<Report, "reporterId" | "gameId" | "playerId">,
): Promise<string | null> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from reports
    where reporter_id = ${reporterId} and game_id = ${gameId} and coalesce(player_id, '') = ${playerId ?? ""}`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
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
  /** Who plays in the game. */
  readonly players: readonly (PlayerId | null)[];
  readonly at: Instant;
  readonly state: ReportState;
  readonly ended: {
    readonly outcome: ReportOutcome;
    readonly note: string;
    /** Who ended it for the house. */
    readonly by: PlayerId;
    readonly at: Instant;
  } | null;
}

export interface ReportsPage {
  readonly state: ReportState | null;
  /** Those about this player alone; null: all. */
  readonly playerId: PlayerId | null;
  /** Whoever looks: what is told of themself is not for them. */
  readonly viewerId: PlayerId;
  /** The id of a report: those that come after it. */
  readonly after: string | null;
  readonly limit: number;
}

/** Open ones the oldest first, all others the newest first. */
export async function loadReports(
  queries: Queries,
  { state, playerId, viewerId, after, limit }: ReportsPage,
): Promise<readonly ListedReport[]> {
  const isUpward = state === "open";
  const order = isUpward ? sql`told.created_at, told.id` : sql`told.created_at desc, told.id desc`;
  const beyond = isUpward ? sql`>` : sql`<`;
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from reports told left join admin_acts done on done.id = told.act_id
    where (${state}::text is null or told.state = ${state}) and (${playerId}::text is null or told.player_id = ${playerId})
      and told.player_id is distinct from ${viewerId}
      and (${after}::uuid is null
        or (told.created_at, told.id) ${beyond} (select last.created_at, last.id from reports last where last.id = ${after}::uuid))
    order by ${order} limit ${limit}`.execute(queries);
  return rows.map(toListed);
}

/** Who plays in a game of which somebody reported something; null where nobody did. */
export async function findReportedPlayers(
  queries: Queries,
  gameId: GameId,
): Promise<readonly (PlayerId | null)[] | null> {
  const { rows } = await sql<{ readonly players: readonly (PlayerId | null)[] }>`
    select array[player1_id, player2_id] as players from games
    where id = ${gameId} and exists (select from reports where game_id = ${gameId})`.execute(queries);
  return rows[0]?.players ?? null;
}

/** The report, held until the transaction ends; null where there is none. */
export async function lockReport(tx: Tx, id: string): Promise<ListedReport | null> {
  await sql`select from reports where id = ${id} for update`.execute(tx);
  const { rows } = await sql<ReportRow>`
    select ${COLUMNS} from reports told left join admin_acts done on done.id = told.act_id where told.id = ${id}`.execute(
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
    readonly actId: bigint;
    readonly at: Instant;
  },
): Promise<void> {
  await sql`
    update reports set state = 'closed', outcome = ${end.outcome}, note = ${end.note}, ended_at = ${end.at}, act_id = ${end.actId}
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

const COLUMNS = sql`told.id, told.reporter_id, told.game_id, told.player_id, told.reason, told.text, told.created_at, told.state,
  told.outcome, told.note, told.ended_at, done.player_id as ended_by,
  (select array[game.player1_id, game.player2_id] from games game where game.id = told.game_id) as players`;

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
