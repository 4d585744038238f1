import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Pairing } from "@holo/table/log-record.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { isUnlisted, type Status } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

export interface GameRow {
  readonly id: GameId;
  readonly game_type: GameType;
  readonly status: Status;
  readonly player1_id: PlayerId;
  readonly player2_id: PlayerId | null;
  readonly pairing: Pairing | null;
  readonly stake_amount: Stake;
  readonly fee_bps: number;
  readonly time_limit: number;
  readonly board_state: string;
  readonly move_count: number;
  readonly winner_id: PlayerId | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface LogRow {
  readonly version: number;
  readonly text: string;
  readonly hash: string;
}

export const GAME_COLUMNS = sql`g.id, g.game_type, g.status, g.player1_id, g.player2_id, g.pairing, g.stake_amount, g.fee_bps, g.time_limit,
  g.board_state, g.move_count, g.winner_id, g.created_at::float8 as created_at, g.updated_at::float8 as updated_at`;

export async function loadLog(queries: Queries, gameId: GameId, since: number): Promise<readonly LogRow[]> {
  const { rows } = await sql<LogRow>`
    select version, record as text, hash from game_log where game_id = ${gameId} and version > ${since} order by version`.execute(
    queries,
  );
  return rows;
}

/** The whole logs of these games; games without one are left out. */
export async function loadLogs(
  queries: Queries,
  gameIds: readonly GameId[],
): Promise<ReadonlyMap<GameId, readonly LogRow[]>> {
  const { rows } = await sql<LogRow & { readonly gameId: GameId }>`
    select game_id as "gameId", version, record as text, hash from game_log
    where game_id = any(${gameIds}::uuid[]) order by game_id, version`.execute(queries);
  return Map.groupBy(rows, ({ gameId }) => gameId);
}

/** Locks a game's row, then reads its newest record; null without such a game. */
export async function lockGame(tx: Tx, gameId: GameId): Promise<Pick<LogRow, "version" | "hash"> | null> {
  await sql`select from games where id = ${gameId} for update`.execute(tx);
  const { rows } = await sql<Pick<LogRow, "version" | "hash">>`
    select version, hash from game_log where game_id = ${gameId} order by version desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** Returns once the database answers. */
export async function confirmDatabase(queries: Queries): Promise<void> {
  await sql`select 1`.execute(queries);
}

/** Waits for a transaction of unknown outcome, which holds the game's row until it ends. */
export async function awaitCommits(queries: Queries, gameId: GameId): Promise<void> {
  await sql`select from games where id = ${gameId} for no key update`.execute(queries);
}

/** A game by invitation that no one has joined is hidden from all but its creator. */
export function isHiddenFrom(
  viewer: PlayerId | null,
  { pairing, player1_id: creatorId, player2_id }: GameRow,
): boolean {
  return isUnlisted({ pairing, players: [creatorId, player2_id] }) && viewer !== creatorId;
}

/** The hash of the newest record, which identifies the whole log. */
export async function loadNewestHash(queries: Queries, gameId: GameId): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select hash from game_log where game_id = ${gameId} order by version desc limit 1`.execute(queries);
  return rows[0]?.hash ?? null;
}

/** Waiting games of any server, with a deadline before `at`. */
export async function loadOverdue(queries: Queries, at: Instant): Promise<readonly GameId[]> {
  const { rows } = await sql<{ id: GameId }>`
    select id from games where status = 'waiting' and deadline_at <= ${at} order by created_at limit 500`.execute(
    queries,
  );
  return rows.map((row) => row.id);
}

export async function loadGame(queries: Queries, gameId: GameId): Promise<GameRow | null> {
  const { rows } = await sql<GameRow>`select ${GAME_COLUMNS} from current_games g where g.id = ${gameId}`.execute(
    queries,
  );
  return rows[0] ?? null;
}

export async function loadWaiting(queries: Queries): Promise<readonly GameRow[]> {
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from current_games g where g.status = 'waiting' and g.pairing is null order by g.created_at`.execute(
    queries,
  );
  return rows;
}

export async function loadGames(queries: Queries, gameIds: readonly GameId[]): Promise<readonly GameRow[]> {
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from current_games g where g.id = any(${gameIds}::uuid[])`.execute(queries);
  return rows;
}

/** The stakes of the games that wait, by their creators. */
export async function loadWaitingStakes(queries: Queries): Promise<ReadonlyMap<PlayerId, Stake>> {
  const { rows } = await sql<Pick<GameRow, "player1_id" | "stake_amount">>`
    select player1_id, stake_amount from games where status = 'waiting'`.execute(queries);
  return new Map(rows.map(({ player1_id: creatorId, stake_amount: stake }) => [creatorId, stake]));
}

export async function loadActiveIds(queries: Queries): Promise<readonly GameId[]> {
  const { rows } = await sql<{ readonly id: GameId }>`select id from games where status = 'active'`.execute(queries);
  return rows.map(({ id }) => id);
}
