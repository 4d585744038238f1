import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { ReportReason } from "@holo/protocol/views.ts";
import { sql } from "kysely";
import type { Tx } from "../platform/database.ts";
import { toTimestamp } from "../platform/timestamp.ts";

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
