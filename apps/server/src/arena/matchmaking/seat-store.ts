import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";

/** Seats a player. Returns false without writing if they have a seat at an open game. */
export async function takeSeat(tx: Tx, playerId: PlayerId, gameId: GameId, seat: Seat): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into seats (player_id, game_id, seat) values (${playerId}, ${gameId}, ${seat})
    on conflict (player_id) do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** Frees the seats of a game and returns their number for the caller to check. */
export async function freeSeats(tx: Tx, gameId: GameId): Promise<number> {
  const { numAffectedRows } = await sql`delete from seats where game_id = ${gameId}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export interface OpenGame {
  readonly gameId: GameId;
  readonly status: "waiting" | "active";
}

/** The game at which the player waits or plays; null for none. */
export async function loadOpenGame(queries: Queries, playerId: PlayerId): Promise<OpenGame | null> {
  const { rows } = await sql<OpenGame>`
    select g.id as "gameId", g.status from seats s join games g on g.id = s.game_id
    where s.player_id = ${playerId}`.execute(queries);
  return rows[0] ?? null;
}

export async function hasOpenGame(queries: Queries, playerId: PlayerId): Promise<boolean> {
  return (await loadOpenGame(queries, playerId)) !== null;
}

export interface SeatCommand {
  readonly content: string;
  readonly gameId: GameId;
}

/** Stores which game a command led to, so that the same id leads there again. */
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
): Promise<SeatCommand | null> {
  const { rows } = await sql<SeatCommand>`
    select content, game_id as "gameId" from game_commands
    where player_id = ${playerId} and command_id = ${commandId}`.execute(queries);
  return rows[0] ?? null;
}

/** Serializes seekers on the same terms across nodes until the transaction ends. */
export async function lockTerms(tx: Tx, game: GameType, stake: Stake, limitMs: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`${game} ${stake} ${limitMs}`}))`.execute(tx);
}

interface WaitingGame {
  readonly gameId: GameId;
  readonly creatorId: PlayerId;
}

/** Games that wait on these terms, longest first, without the seeker's own. */
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
      and fee_bps = ${feeBps} and player1_id <> ${seekerId} and pairing is null
    order by created_at limit 1000`.execute(queries);
  return rows;
}
