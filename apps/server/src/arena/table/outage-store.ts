import { type GameId, type PlayerId, toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { type Instant, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { Outage } from "@holo/table/clock.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Cancel, TimerWheel } from "../../platform/time/timer-wheel.ts";

/**
 * The players whom one server served: its outage concerned only them. The instant is when the
 * server handed the player over before it ended; null if it did not.
 */
export type Served = ReadonlyMap<GameId, ReadonlyMap<PlayerId, Instant | null>>;

export interface StoredOutage extends Outage {
  /** Null: it concerned everyone. */
  readonly served: Served | null;
  /** Whose outage it was; null: that of no single server. */
  readonly serverId: string | null;
}

export function toOutage({ fromAt, toAt, cause }: StoredOutage): Outage {
  return { fromAt, toAt, cause };
}

export function toSeatKey(gameId: GameId, playerId: PlayerId): string {
  return `${gameId} ${playerId}`;
}

/** Held like a seat while only spectators watch a table, so that other servers send its records. */
export const SPECTATOR = toPlayerId("spectator");

export function parseSeatKey(key: string): { readonly gameId: GameId; readonly playerId: PlayerId } | null {
  const [gameId, playerId] = key.split(" ");
  return gameId === undefined || playerId === undefined
    ? null
    : { gameId: toGameId(gameId), playerId: toPlayerId(playerId) };
}

export function parseServed(keys: Iterable<string>): Served {
  const served = new Map<GameId, Map<PlayerId, Instant | null>>();
  for (const key of keys) {
    const seat = parseSeatKey(key);
    if (seat === null || seat.playerId === SPECTATOR) continue;
    const players = served.get(seat.gameId) ?? new Map();
    const handedAt = key.split(" ")[2];
    served.set(seat.gameId, players.set(seat.playerId, handedAt === undefined ? null : toInstant(Number(handedAt))));
  }
  return served;
}

/** The newest outages, oldest first, that ended after `since`. */
export async function loadOutages(queries: Queries, since: Instant = toInstant(0)): Promise<readonly StoredOutage[]> {
  const { rows } = await sql<{
    from_at: Date;
    to_at: Date;
    cause: Outage["cause"];
    server_id: string | null;
    served: readonly string[] | null;
  }>`
    select from_at, to_at, cause, server_id, served from outages where to_at > ${toTimestamp(since)}
    order by to_at desc limit 1000`.execute(queries);
  return rows
    .map((row) => ({
      fromAt: fromTimestamp(row.from_at),
      toAt: fromTimestamp(row.to_at),
      cause: row.cause,
      serverId: row.server_id,
      served: row.served === null ? null : parseServed(row.served),
    }))
    .reverse();
}

/**
 * The newest time in which no running server had the database, by the outages that they stored, or
 * null. It concerned everyone, also players whom no server served.
 */
export async function loadCommonSilence(
  queries: Queries,
  recent: readonly StoredOutage[],
): Promise<StoredOutage | null> {
  const { rows } = await sql<{ server_id: string }>`
    select server_id from servers where is_shared and ended_at is null and serving_at is not null`.execute(queries);
  const silences = rows.flatMap(({ server_id }) => {
    const newest = recent.findLast(({ serverId, cause }) => serverId === server_id && cause === "database");
    return newest === undefined ? [] : [newest];
  });
  if (silences.length === 0 || silences.length < rows.length) return null;
  const fromAt = toInstant(Math.max(...silences.map((outage) => outage.fromAt)));
  const toAt = toInstant(Math.min(...silences.map((outage) => outage.toAt)));
  return fromAt < toAt ? { fromAt, toAt, cause: "database", served: null, serverId: null } : null;
}

interface OutageStore {
  /**
   * Stores the outage, repeatedly until the database has it. `keys` are the affected seats; null:
   * all.
   */
  save(outage: Outage, keys: readonly string[] | null): void;
  close(): Promise<void>;
}

interface OutageStoreDeps {
  readonly queries: Queries;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly serverId: string | null;
}

const RETRY_MS = SECOND_MS;

export function openOutageStore({ queries, time, wheel, log, serverId }: OutageStoreDeps): OutageStore {
  const retries = new Set<Cancel>();
  const saving = new Set<Promise<void>>();

  async function save(outage: Outage, keys: readonly string[] | null): Promise<void> {
    const { fromAt, toAt, cause } = outage;
    try {
      await sql`
        insert into outages (from_at, to_at, cause, server_id, served)
        values (${toTimestamp(fromAt)}, ${toTimestamp(toAt)}, ${cause}, ${serverId}::uuid, ${keys}::text[])
        on conflict do nothing`.execute(queries);
    } catch (err) {
      log.warn({ err, outage }, "an outage could not be stored; trying again");
      const cancel = wheel.schedule(time.monotonicMs() + RETRY_MS, () => {
        retries.delete(cancel);
        start(outage, keys);
      });
      retries.add(cancel);
    }
  }

  function start(outage: Outage, keys: readonly string[] | null): void {
    const run = save(outage, keys).finally(() => saving.delete(run));
    saving.add(run);
  }

  return {
    save: start,
    async close() {
      await Promise.all(saving);
      for (const cancel of retries) cancel();
    },
  };
}
