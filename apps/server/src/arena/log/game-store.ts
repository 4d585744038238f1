import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { type EndReason, LOG_FORMAT, type LogRecord } from "@holo/table/log-record.ts";
import type { Stake, Terms } from "@holo/table/stakes.ts";
import type { Status, TableState } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";
import { rulesOf } from "../game-rules.ts";
import type { EncodedRecord } from "./log-record.ts";

/** The current row of a game, as lists show it. */
export interface GameRow {
  readonly id: GameId;
  readonly game_type: GameType;
  readonly status: Status;
  readonly player1_id: PlayerId;
  readonly player2_id: PlayerId | null;
  readonly stake_amount: Stake;
  readonly fee_bps: number;
  readonly time_limit: number;
  readonly board_state: string;
  readonly move_count: number;
  readonly winner_id: PlayerId | null;
  readonly end_reason: EndReason | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

export interface LogRow {
  readonly version: number;
  readonly text: string;
  readonly hash: string;
}

export const GAME_COLUMNS = sql`g.id, g.game_type, g.status, g.player1_id, g.player2_id, g.stake_amount, g.fee_bps, g.time_limit,
  g.board_state, g.move_count, g.winner_id, g.end_reason, g.created_at::float8 as created_at, g.updated_at::float8 as updated_at`;

export async function loadLog(queries: Queries, gameId: GameId, since: number): Promise<readonly LogRow[]> {
  const { rows } = await sql<LogRow>`
    select version, entry as text, hash from game_log where game_id = ${gameId} and version > ${since} order by version`.execute(
    queries,
  );
  return rows;
}

/** Locks a game's row. Null if there is no such game. */
export async function lockGameVersion(tx: Tx, gameId: GameId): Promise<number | null> {
  const { rows } = await sql<{ version: number }>`select version from games where id = ${gameId} for update`.execute(
    tx,
  );
  return rows[0]?.version ?? null;
}

/** Creates the game with its first entry. */
export async function insertGame(
  tx: Tx,
  state: TableState<unknown>,
  written: EncodedRecord,
  terms: Terms,
  deadlineAt: Instant | null,
): Promise<void> {
  const { clock } = state;
  await sql`
    with logged as (
      insert into game_log (game_id, version, format, entry, at, hash)
      values (${state.gameId}, ${written.version}, ${LOG_FORMAT}, ${written.text}, ${written.at}, ${written.hash})
    )
    insert into games (id, game_type, status, player1_id, stake_amount, fee_bps, platform_fee, time_limit, board_state,
      current_turn, move_count, player1_remaining_ms, player2_remaining_ms, version, deadline_at, created_at, updated_at)
    values (${state.gameId}, ${state.game}, 'waiting', ${state.players[0]}, ${state.stake}, ${state.feeBps},
      ${terms.platformFee}, ${state.limitMs / 1_000}, ${rulesOf(state.game).formatPosition(state.position)}, 1, 0,
      ${clock.remainingMs[0]}, ${clock.remainingMs[1]}, ${state.version}, ${deadlineAt}, ${written.at}, ${written.at})`.execute(
    tx,
  );
}

/** Appends an entry that starts, ends or cancels a game, and brings its row up to it. The caller holds the row. */
export async function saveRecord(
  tx: Tx,
  state: TableState<unknown>,
  record: LogRecord,
  written: EncodedRecord,
  captures: readonly [number, number],
  deadlineAt: Instant | null,
): Promise<void> {
  const { clock, result, players } = state;
  const cancelled = record.events.find((event) => event.type === "cancelled");
  const cancelledBy = cancelled?.seat ? players[cancelled.seat - 1]! : null;
  const winnerId = result?.winner ? players[result.winner - 1]! : null;
  await sql`
    with logged as (
      insert into game_log (game_id, version, format, entry, at, hash)
      values (${state.gameId}, ${written.version}, ${LOG_FORMAT}, ${written.text}, ${written.at}, ${written.hash})
    )
    update games set status = ${state.status}, player2_id = ${players[1]}, board_state = ${rulesOf(state.game).formatPosition(state.position)},
      current_turn = ${state.moves.length + 1}, move_count = ${state.moves.length}, player1_captures = ${captures[0]},
      player2_captures = ${captures[1]}, player1_remaining_ms = ${clock.remainingMs[0]},
      player2_remaining_ms = ${clock.remainingMs[1]}, winner_id = ${winnerId},
      end_reason = ${result?.reason ?? cancelled?.reason ?? null}, cancelled_by = ${cancelledBy}, version = ${state.version},
      deadline_at = ${deadlineAt}, updated_at = ${written.at}, started_at = ${state.startedAt}, completed_at = ${state.endedAt}
    where id = ${state.gameId}`.execute(tx);
}

/** Seats a player. False, and nothing written, where they sit at an open game already. */
export async function takeSeat(tx: Tx, playerId: PlayerId, gameId: GameId, seat: Seat): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into seats (player_id, game_id, seat) values (${playerId}, ${gameId}, ${seat})
    on conflict (player_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** Frees both seats; a player without a seat was lost somewhere: the count is for the caller to check. */
export async function freeSeats(tx: Tx, gameId: GameId): Promise<number> {
  const { numAffectedRows } = await sql`delete from seats where game_id = ${gameId}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export interface OpenGame {
  readonly gameId: GameId;
  readonly status: "waiting" | "active";
}

export async function loadOpenGame(queries: Queries, playerId: PlayerId): Promise<OpenGame | null> {
  const { rows } = await sql<OpenGame>`
    select g.id as "gameId", g.status from seats s join games g on g.id = s.game_id
    where s.player_id = ${playerId}`.execute(queries);
  return rows[0] ?? null;
}

export interface RecordedCommand {
  readonly content: string;
  readonly gameId: GameId;
}

/** Commands that lead a player to a game are recorded with it, so that the same id leads there again. */
export async function saveCommand(
  tx: Tx,
  playerId: PlayerId,
  commandId: CommandId,
  content: string,
  gameId: GameId,
  at: Instant,
): Promise<void> {
  await sql`
    insert into game_commands (player_id, command_id, content, game_id, at)
    values (${playerId}, ${commandId}, ${content}, ${gameId}, ${at})
    on conflict (player_id, command_id) do nothing`.execute(tx);
}

export async function findCommand(
  queries: Queries,
  playerId: PlayerId,
  commandId: CommandId,
): Promise<RecordedCommand | null> {
  const { rows } = await sql<RecordedCommand>`
    select content, game_id as "gameId" from game_commands
    where player_id = ${playerId} and command_id = ${commandId}`.execute(queries);
  return rows[0] ?? null;
}

/** One seeker at a time for each set of terms, on whatever node: held until the transaction ends. */
export async function lockTerms(tx: Tx, game: GameType, stake: Stake, limitMs: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`${game} ${stake} ${limitMs}`}))`.execute(tx);
}

export interface WaitingGame {
  readonly gameId: GameId;
  readonly creatorId: PlayerId;
}

/** Games that wait on these terms, longest first, the seeker's own left out. */
export async function loadWaitingOn(
  queries: Queries,
  terms: {
    readonly game: GameType;
    readonly stake: Stake;
    readonly limitMs: number;
    readonly feeBps: number;
    readonly seekerId: PlayerId;
  },
): Promise<readonly WaitingGame[]> {
  const { game, stake, limitMs, feeBps, seekerId } = terms;
  const { rows } = await sql<WaitingGame>`
    select id as "gameId", player1_id as "creatorId" from games
    where status = 'waiting' and game_type = ${game} and stake_amount = ${stake} and time_limit = ${limitMs / 1_000}
      and fee_bps = ${feeBps} and player1_id <> ${seekerId}
    order by created_at limit 1000`.execute(queries);
  return rows;
}

/** When each of a player's newest games that began and that they cancelled or missed ended (ruling 17). */
export async function loadMissedAt(queries: Queries, playerId: PlayerId, games: number): Promise<readonly Instant[]> {
  const { rows } = await sql<{ completed_at: Instant }>`
    select completed_at::float8 as completed_at from (
      select cancelled_by, completed_at from games
      where (player1_id = ${playerId} or player2_id = ${playerId}) and started_at is not null and completed_at is not null
      order by created_at desc limit ${games}
    ) newest where cancelled_by = ${playerId}`.execute(queries);
  return rows.map((row) => row.completed_at);
}

/** Open games whose time had run out by `at`, wherever they are served. */
export async function loadOverdue(queries: Queries, at: Instant): Promise<readonly GameId[]> {
  const { rows } = await sql<{ id: GameId }>`
    select id from games where status in ('waiting', 'active') and deadline_at <= ${at} order by created_at limit 500`.execute(
    queries,
  );
  return rows.map((row) => row.id);
}

export interface Outage {
  readonly fromAt: Instant;
  readonly toAt: Instant;
}

/** The times when no node was alive, oldest first: each boot's start after the last sign of life before it. */
export async function loadOutages(queries: Queries): Promise<readonly Outage[]> {
  const { rows } = await sql<{ from_at: Date; to_at: Date }>`
    select from_at, to_at from (
      select max(last_seen_at) over (order by started_at rows between unbounded preceding and 1 preceding) as from_at,
        started_at as to_at
      from nodes order by started_at desc limit 1000
    ) boots where from_at < to_at order by to_at`.execute(queries);
  return rows.map((row) => ({ fromAt: fromTimestamp(row.from_at), toAt: fromTimestamp(row.to_at) }));
}

export interface GameFilter {
  /** Games of this player alone. */
  readonly playerId: PlayerId | null;
  readonly statuses: readonly Status[];
  readonly game: GameType | null;
  readonly limitSeconds: number | null;
  /** Games in which one of these plays; null for no such condition. */
  readonly anyOf: readonly PlayerId[] | null;
  /** Those begun before that (ms since 1970); null or left out: all. */
  readonly before?: number | null;
  readonly limit: number;
}

/** Newest first. A search finds a game by its players, its type or its minutes: one of the three is enough. */
export async function loadGames(queries: Queries, filter: GameFilter): Promise<readonly GameRow[]> {
  const anyOf = [...(filter.anyOf ?? [])];
  const isSearch = filter.anyOf !== null || filter.game !== null || filter.limitSeconds !== null;
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g
    where g.status = any(${filter.statuses as string[]}::text[])
      and (${filter.playerId}::text is null or g.player1_id = ${filter.playerId} or g.player2_id = ${filter.playerId})
      and (${filter.before ?? null}::bigint is null or g.created_at < ${filter.before ?? null}::bigint)
      and (not ${isSearch} or g.game_type = ${filter.game} or g.time_limit = ${filter.limitSeconds}
        or g.player1_id = any(${anyOf}::text[]) or g.player2_id = any(${anyOf}::text[]))
    order by g.created_at desc limit ${filter.limit}`.execute(queries);
  return rows;
}

export async function loadGame(queries: Queries, gameId: GameId): Promise<GameRow | null> {
  const { rows } = await sql<GameRow>`select ${GAME_COLUMNS} from games g where g.id = ${gameId}`.execute(queries);
  return rows[0] ?? null;
}

export interface GameCounts {
  readonly pending: number;
  readonly active: number;
  readonly completed: number;
  readonly wins: number;
  readonly draws: number;
}

/** A player's games by what became of them; a game lost on time is completed, a cancelled one counts nowhere (ruling 11). */
export async function loadCounts(queries: Queries, playerId: PlayerId): Promise<GameCounts> {
  const { rows } = await sql<GameCounts>`
    select count(*) filter (where status = 'waiting')::int as pending, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status in ('completed', 'timeout'))::int as completed,
      count(*) filter (where winner_id = ${playerId})::int as wins,
      count(*) filter (where status in ('completed', 'timeout') and winner_id is null)::int as draws
    from games where player1_id = ${playerId} or player2_id = ${playerId}`.execute(queries);
  return rows[0] ?? { pending: 0, active: 0, completed: 0, wins: 0, draws: 0 };
}

/** All games that wait for an opponent. */
export async function loadWaiting(queries: Queries): Promise<readonly GameRow[]> {
  const { rows } = await sql<GameRow>`
    select ${GAME_COLUMNS} from games g where g.status = 'waiting' order by g.created_at`.execute(queries);
  return rows;
}

/** Who waits for an opponent. */
export async function loadWaitingPlayers(queries: Queries): Promise<readonly PlayerId[]> {
  const { rows } = await sql<{ readonly player1_id: PlayerId }>`
    select player1_id from games where status = 'waiting'`.execute(queries);
  return rows.map(({ player1_id: playerId }) => playerId);
}

export async function loadActiveIds(queries: Queries): Promise<readonly GameId[]> {
  const { rows } = await sql<{ readonly id: GameId }>`select id from games where status = 'active'`.execute(queries);
  return rows.map(({ id }) => id);
}
