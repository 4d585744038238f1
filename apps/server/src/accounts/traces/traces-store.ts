import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { TRACE_KEPT_MS, type TraceKind } from "./trace-kinds.ts";

interface TraceId {
  readonly playerId: PlayerId;
  readonly kind: TraceKind;
  readonly keyedHash: string;
}

export interface Trace extends TraceId {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly uses: number;
}

interface TraceRow {
  readonly player_id: PlayerId;
  readonly kind: TraceKind;
  readonly keyed_hash: string;
  readonly first_at: bigint;
  readonly last_at: bigint;
  readonly uses: number;
}

export async function saveTrace(tx: Tx, { playerId, kind, keyedHash }: TraceId, at: Instant): Promise<void> {
  await sql`
    insert into account_traces as kept (player_id, kind, keyed_hash, first_at, last_at, uses)
    values (${playerId}, ${kind}, ${keyedHash}, ${at}, ${at}, 1)
    on conflict (player_id, kind, keyed_hash) do update
    set last_at = greatest(kept.last_at, excluded.last_at), uses = kept.uses + 1`.execute(tx);
}

export async function loadTraces(queries: Queries, playerId: PlayerId): Promise<readonly Trace[]> {
  const { rows } = await sql<TraceRow>`
    select * from account_traces where player_id = ${playerId} order by last_at desc, kind, keyed_hash`.execute(
    queries,
  );
  return rows.map(toTrace);
}

/** Bounds what a public place brings in. A network of many is a carrier's: it says nothing. */
const ACCOUNTS_PER_TRACE_MAX = 30;
const ACCOUNTS_PER_NETWORK_MAX = 8;

/**
 * Every trace with the hash of one of these players' traces, theirs included. Networks are read of
 * those who share something else: alone they join no one.
 */
export async function loadTracesAround(queries: Queries, playerIds: readonly PlayerId[]): Promise<readonly Trace[]> {
  const ids = [...playerIds];
  const { rows } = await sql<TraceRow>`/* prepared account_traces_around */
    with near as materialized (
      select trace.* from (
        select distinct keyed_hash from account_traces where player_id = any(${ids}::text[]) and kind <> 'network') own
      cross join lateral (
        select *, count(*) over () as accounts from account_traces where keyed_hash = own.keyed_hash
        order by (player_id = any(${ids}::text[])) desc, last_at desc limit ${ACCOUNTS_PER_TRACE_MAX}) trace
    ), network as (
      select keyed_hash from account_traces
      where kind = 'network' and player_id in (select player_id from near where accounts > 1)
      group by keyed_hash having count(*) > 1)
    select player_id, kind, keyed_hash, first_at, last_at, uses from near
    union all
    select trace.* from network cross join lateral (
      select * from account_traces where keyed_hash = network.keyed_hash limit ${ACCOUNTS_PER_NETWORK_MAX}) trace`.execute(
    queries,
  );
  return rows.map(toTrace);
}

function toTrace(row: TraceRow): Trace {
  return {
    playerId: row.player_id,
    kind: row.kind,
    keyedHash: row.keyed_hash,
    firstAt: Number(row.first_at) as Instant,
    lastAt: Number(row.last_at) as Instant,
    uses: row.uses,
  };
}

export async function removeOldTraces(queries: Queries, now: Instant): Promise<void> {
  for (const [kind, keptMs] of Object.entries(TRACE_KEPT_MS)) {
    await sql`delete from account_traces where kind = ${kind} and last_at < ${addMs(now, -keptMs)}`.execute(queries);
  }
}

/** What a deleted account leaves: its means of payment, until their time is over. */
export async function removePlaces(tx: Tx, playerId: PlayerId): Promise<void> {
  await sql`delete from account_traces where player_id = ${playerId} and kind in ('device', 'network')`.execute(tx);
}
