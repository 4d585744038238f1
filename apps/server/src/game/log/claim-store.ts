import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Status } from "@holo/table/state.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { type Fence, Fenced } from "../../platform/servers/fence.ts";

export interface Claimed {
  /** The server that owns the game; null while it waits. */
  readonly owner: string | null;
  readonly isOwn: boolean;
  readonly status: Status;
  /** No server played this active game for a time that its log has no credit for. */
  readonly unserved: ClaimedUnserved | null;
}

export interface Unserved {
  readonly fromAt: Instant;
  /** What lies later is not credited. */
  readonly until: Instant;
  readonly cause: "restart" | "stall";
}

export interface ClaimedUnserved extends Unserved {
  /** Since the end of its last owner. Where another ended before it, `fromAt` is earlier. */
  readonly againFromAt: Instant;
}

interface ClaimedRow {
  readonly id: GameId | null;
  readonly owner: string | null;
  readonly status: Status;
  readonly unserved_from: number | null;
  readonly last_beat_at: number | null;
  readonly ended_at: number | null;
  readonly end_cause: string | null;
}

/** After the end of their server players attach to another; later time is charged to them. */
export const CREDITED_AFTER_END_MS = 10 * SECOND_MS;

/** The own server's row if it has not ended. Every update that ends it conflicts with this lock. */
const own = ({ serverId, databaseStart }: Fence): RawBuilder<unknown> => sql`
  select from servers where server_id = ${serverId} and ended_at is null
    and extract(epoch from pg_postmaster_start_time())::text = ${databaseStart} for share`;

/**
 * Takes the games that no server owns. Who reads their logs does so in a later statement: this one
 * may have waited for a record that its own snapshot lacks. Unknown games are left out.
 */
export async function claimGames(
  queries: Queries,
  fence: Fence,
  gameIds: readonly GameId[],
): Promise<ReadonlyMap<GameId, Claimed>> {
  // An owner's row is deleted long after its end. If the owner changed while this statement waited,
  // the row is only too new for the snapshot, which has another owner in `seen`.
  const { rows } = await sql<ClaimedRow>`
    with own as materialized (${own(fence)}),
    locked as materialized (
      select game.id, game.status, game.owner, game.unserved_from from own, games game
      where game.id = any(${gameIds}::uuid[]) order by game.id for no key update of game),
    found as materialized (
      select locked.*, server.ended_at, server.last_beat_at, server.end_cause,
        locked.status <> 'waiting' and (locked.owner is null or server.ended_at is not null
          or (server.server_id is null and locked.owner = seen.owner)) as is_free
      from locked join games seen using (id) left join servers server on server.server_id = locked.owner),
    claimed as (
      update games game set owner = ${fence.serverId},
        unserved_from = case found.status when 'active' then coalesce(found.unserved_from, found.last_beat_at) end
      from found where game.id = found.id and found.is_free and game.status <> 'waiting'
      returning game.id, game.owner, game.unserved_from)
    select found.id, coalesce(claimed.owner, found.owner) as owner, found.status,
      coalesce(claimed.unserved_from, found.unserved_from)::float8 as unserved_from, found.last_beat_at::float8 as last_beat_at,
      found.ended_at::float8 as ended_at, found.end_cause
    from own left join found on true left join claimed on claimed.id = found.id`.execute(queries);
  if (rows.length === 0) throw new Fenced(fence);
  return new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, toClaimed(row, fence)] as const])));
}

/** A wait that ended during the statement is not taken: checks of the table see the old row. */
function toClaimed(row: ClaimedRow, { serverId }: Fence): Claimed {
  const isOwn = row.owner === serverId;
  return { owner: row.owner, isOwn, status: row.status, unserved: isOwn ? toUnserved(row) : null };
}

function toUnserved(row: ClaimedRow): ClaimedUnserved | null {
  const fromAt = row.unserved_from as Instant | null;
  if (fromAt === null) return null;
  return {
    fromAt,
    againFromAt: (row.last_beat_at ?? fromAt) as Instant,
    until: addMs((row.ended_at ?? fromAt) as Instant, CREDITED_AFTER_END_MS),
    cause: row.end_cause === "gone" ? "restart" : "stall",
  };
}

/** Active games that no server owns, the oldest first. */
export async function listAbandoned(queries: Queries, limit: number): Promise<readonly GameId[]> {
  const { rows } = await sql<{ readonly id: GameId }>`
    select game.id from games game left join servers server on server.server_id = game.owner
    where game.status = 'active' and (server.server_id is null or server.ended_at is not null)
    order by game.created_at limit ${limit}`.execute(queries);
  return rows.map(({ id }) => id);
}

/** Gives idle games back, which no command in doubt may change any more. */
export async function releaseGames(
  queries: Queries,
  fence: Fence,
  gameIds: readonly GameId[],
  at: Instant,
): Promise<void> {
  await changeOwn(
    queries,
    fence,
    gameIds,
    sql`owner = null, unserved_from = case game.status when 'active' then coalesce(game.unserved_from, ${at}) end`,
  );
}

/** Another server asks for a game of this one, which no command in doubt may change any more. */
export async function handGame(queries: Queries, fence: Fence, gameId: GameId, server: string): Promise<void> {
  await changeOwn(queries, fence, [gameId], sql`owner = ${server}`);
}

/** The logs of these games have the credit. */
export async function clearUnserved(queries: Queries, fence: Fence, gameIds: readonly GameId[]): Promise<void> {
  await changeOwn(queries, fence, gameIds, sql`unserved_from = null`);
}

async function changeOwn(
  queries: Queries,
  fence: Fence,
  gameIds: readonly GameId[],
  change: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql`
    with own as materialized (${own(fence)}),
    locked as materialized (
      select game.id from own, games game
      where game.id = any(${gameIds}::uuid[]) and game.owner = ${fence.serverId} order by game.id for no key update of game),
    changed as (update games game set ${change} from locked where game.id = locked.id)
    select from own`.execute(queries);
  if (rows.length === 0) throw new Fenced(fence);
}
