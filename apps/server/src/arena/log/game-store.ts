import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Pairing } from "@holo/table/log-record.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { isUnlisted, type Status } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { sleep } from "../../platform/runtime.ts";

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

const POLL_EVERY_MS_MAX = 500;
/** As long as a statement waits for a lock. */
const LOCKED_MS_MAX = 5 * SECOND_MS;

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

/** Locks a game's row and returns its version; null without such a game. */
export async function lockGameVersion(tx: Tx, gameId: GameId): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`
    select version from games where id = ${gameId} for update`.execute(tx);
  return rows[0]?.version ?? null;
}

/**
 * Waits for a transaction of unknown outcome, which holds the game's row until it ends. It polls:
 * a statement that waits would occupy a connection.
 */
export async function awaitCommits(queries: Queries, gameId: GameId): Promise<void> {
  for (let waitedMs = 0, pauseMs = 10; ; waitedMs += pauseMs, pauseMs = Math.min(2 * pauseMs, POLL_EVERY_MS_MAX)) {
    const { rows } = await sql<{ readonly isFree: boolean }>`
      select exists (select from games where id = ${gameId} for share skip locked)
        or not exists (select from games where id = ${gameId}) as "isFree"`.execute(queries);
    if (rows[0]!.isFree) return;
    if (waitedMs > LOCKED_MS_MAX) throw new Error(`game ${gameId} stays locked`);
    await sleep(pauseMs);
  }
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

export async function loadOtherVersions(
  queries: Queries,
  known: readonly { readonly gameId: GameId; readonly version: number }[],
): Promise<ReadonlyMap<GameId, number>> {
  const gameIds = known.map(({ gameId }) => gameId);
  const versions = known.map(({ version }) => version);
  const { rows } = await sql<{ readonly id: GameId; readonly version: number }>`
    select g.id, g.version from unnest(${gameIds}::uuid[], ${versions}::int[]) as known (id, version)
    join games g on g.id = known.id where g.version <> known.version`.execute(queries);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** When this PostgreSQL was started. It changes if another one takes over. */
export async function loadDatabaseStart(queries: Queries): Promise<string> {
  const { rows } = await sql<{ readonly start: string }>`select pg_postmaster_start_time()::text as start`.execute(
    queries,
  );
  return rows[0]!.start;
}

/** Which of these games have no record of this version and hash in their log. */
export async function loadDiverged(
  queries: Queries,
  known: readonly { readonly gameId: GameId; readonly version: number; readonly hash: string }[],
): Promise<readonly GameId[]> {
  const gameIds = known.map(({ gameId }) => gameId);
  const versions = known.map(({ version }) => version);
  const hashes = known.map(({ hash }) => hash);
  const { rows } = await sql<{ readonly id: GameId }>`
    select known.id
    from unnest(${gameIds}::uuid[], ${versions}::int[], ${hashes}::text[]) as known (id, version, hash)
    left join game_log l on l.game_id = known.id and l.version = known.version
    where l.hash is distinct from known.hash`.execute(queries);
  return rows.map(({ id }) => id);
}

/** Of any server, with a deadline before `at`. */
export async function loadOverdue(queries: Queries, at: Instant): Promise<readonly GameId[]> {
  const { rows } = await sql<{ id: GameId }>`
    select id from games where status in ('waiting', 'active') and deadline_at <= ${at} order by created_at limit 500`.execute(
    queries,
  );
  return rows.map((row) => row.id);
}

export async function loadGame(queries: Queries, gameId: GameId): Promise<GameRow | null> {
  const { rows } = await sql<GameRow>`select ${GAME_COLUMNS} from games g where g.id = ${gameId}`.execute(queries);
  return rows[0] ?? null;
}

export async function loadWaiting(queries: Queries): Promise<readonly GameRow[]> {
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g where g.status = 'waiting' and g.pairing is null order by g.created_at`.execute(
    queries,
  );
  return rows;
}

export async function loadGames(queries: Queries, gameIds: readonly GameId[]): Promise<readonly GameRow[]> {
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g where g.id = any(${gameIds}::uuid[])`.execute(queries);
  return rows;
}

export async function loadWaitingPlayers(queries: Queries): Promise<readonly PlayerId[]> {
  const { rows } = await sql<{ readonly player1_id: PlayerId }>`
    select player1_id from games where status = 'waiting'`.execute(queries);
  return rows.map(({ player1_id: playerId }) => playerId);
}

export async function loadActiveIds(queries: Queries): Promise<readonly GameId[]> {
  const { rows } = await sql<{ readonly id: GameId }>`select id from games where status = 'active'`.execute(queries);
  return rows.map(({ id }) => id);
}
