import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type pg from "pg";
import { fromTimestamp, toTimestamp } from "../database/timestamp.ts";
import type { Log } from "../log.ts";
import { GONE_AFTER_MS } from "../servers.ts";
import type { Time } from "../time/time.ts";
import type { Servers } from "./servers.ts";

/** Stores the outages of lost servers, each once, by the first server that finds it. */
interface LostServers {
  check(): Promise<{
    /** How many others serve, by their heartbeats. */
    readonly others: number;
    /** Whether one of them is out of contact: its messages are missed. */
    readonly isOneOutOfContact: boolean;
  }>;
}

interface LostServersDeps {
  readonly pool: Pick<pg.Pool, "query">;
  readonly time: Time;
  readonly log: Log;
  readonly servers: Pick<Servers, "findServed" | "isInContact">;
  readonly serverId: string;
}

const STEADY_AFTER_MS = GONE_AFTER_MS + SECOND_MS;
const ROUND_MS_MAX = 2 * SECOND_MS;
/** Two heartbeats, by this server's clock: that of a machine that was suspended stays behind. */
const UNCHANGED_MS = 2 * SECOND_MS;

interface NodeRow {
  readonly server_id: string;
  readonly last_seen_at: Date;
}

export function openLostServers({ pool, time, log, servers, serverId }: LostServersDeps): LostServers {
  let steadySinceMs = time.monotonicMs();
  let checkedMs = time.monotonicMs();
  /** The newest heartbeat of each server, and when it was first found here. */
  let heartbeats = new Map<string, { readonly seenAt: number; readonly foundMs: number }>();

  /** The rows without a heartbeat for long, by the servers' clock and by this server's findings. */
  function findGone(rows: readonly NodeRow[], nowMs: number): readonly NodeRow[] {
    const before = heartbeats;
    heartbeats = new Map(
      rows.map(({ server_id, last_seen_at }) => {
        const seenAt = last_seen_at.getTime();
        const known = before.get(server_id);
        return [server_id, known?.seenAt === seenAt ? known : { seenAt, foundMs: nowMs }];
      }),
    );
    const goneBefore = addMs(time.now(), -GONE_AFTER_MS);
    return rows.filter(
      ({ server_id, last_seen_at }) =>
        fromTimestamp(last_seen_at) < goneBefore && nowMs - heartbeats.get(server_id)!.foundMs >= UNCHANGED_MS,
    );
  }

  /** A player who was handed over lost the server before it ended. */
  function toSeat(key: string, handedAgoMs: number | null): string {
    return handedAgoMs === null ? key : `${key} ${Math.round(addMs(time.now(), -handedAgoMs))}`;
  }

  async function endServer(lostId: string, seenAt: Date): Promise<void> {
    // If the served players are not known for certain, no player is charged for the outage.
    const held = servers.findServed(lostId);
    const isSeat = ([key]: readonly [string, unknown]): boolean => key.includes(" ");
    const served = held === null ? null : [...held].filter(isSeat).map(([key, agoMs]) => toSeat(key, agoMs));
    const { rowCount } = await pool.query(
      `with ended as (
         update servers set ended_at = $3 where server_id = $1 and ended_at is null and last_seen_at = $2 returning server_id
       )
       insert into outages (from_at, to_at, cause, server_id, served)
       select $2, $3, 'restart', server_id, $4 from ended on conflict do nothing`,
      [lostId, seenAt, toTimestamp(time.now()), served],
    );
    if (rowCount === 1) log.warn({ server: lostId, seats: served?.length }, "another server ended without a shutdown");
  }

  return {
    async check() {
      const nowMs = time.monotonicMs();
      if (nowMs - checkedMs > ROUND_MS_MAX) steadySinceMs = nowMs;
      checkedMs = nowMs;
      const { rows } = await pool.query<NodeRow>(
        `select server_id, last_seen_at from servers
         where is_shared and ended_at is null and serving_at is not null and server_id <> $1`,
        [serverId],
      );
      const gone = findGone(rows, nowMs);
      if (nowMs - steadySinceMs >= STEADY_AFTER_MS) {
        for (const { server_id, last_seen_at } of gone) await endServer(server_id, last_seen_at);
      }
      const others = rows.filter((row) => !gone.includes(row));
      return { others: others.length, isOneOutOfContact: others.some((row) => !servers.isInContact(row.server_id)) };
    },
  };
}
