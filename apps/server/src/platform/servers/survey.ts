import type { Instant } from "@holo/kernel/instant.ts";
import type pg from "pg";
import { isGone } from "../process-identity.ts";
import { performance, sleep } from "../runtime.ts";
import { SUSPICIOUS_DRIFT_MS } from "../time/time.ts";
import { Counters, ENDED_AFTER_MS } from "./counters.ts";
import { loadLastSeenAt, loadRunning, type RunningServer } from "./server-rows.ts";

/** What a start finds before it registers. Only one server starts at a time (`server-lease.ts`). */
export interface Survey {
  /** When a server last served; null if none did. */
  readonly seenAt: Instant | null;
  /** Whether other servers run. If not, all that have not ended are dead. */
  readonly hasOthers: boolean;
  /** How far the clock of servers that run is ahead of the database's; null if none runs. */
  readonly aheadMs: number | null;
}

const LOOK_EVERY_MS = 100;
/** One delayed beat makes its server look behind, so later ones are read too. */
const BEATS_READ = 4;

/** Waits for a beat of those that may run: a killed server does not count. */
export async function surveyServers(client: Pick<pg.ClientBase, "query">): Promise<Survey> {
  const counters = new Counters();
  const first = new Map<string, string>();
  let [beatsRead, aheadMs]: [number, number | null] = [0, null];
  for (;;) {
    const sentMs = performance.now();
    const databaseMs = await loadDatabaseMs(client);
    const running = (await loadRunning(client)).filter(mayRun);
    const stillness = counters.read(
      running.map(({ serverId, beats }) => [serverId, beats]),
      sentMs,
      performance.now(),
    );
    for (const { serverId, beats, seenAt } of running) {
      const before = first.get(serverId);
      first.set(serverId, beats);
      if (before === undefined || before === beats) continue;
      beatsRead += 1;
      aheadMs = Math.max(aheadMs ?? Number.NEGATIVE_INFINITY, seenAt - databaseMs);
    }
    const isEnough = beatsRead >= BEATS_READ || (aheadMs !== null && aheadMs >= -SUSPICIOUS_DRIFT_MS);
    if (isEnough || running.every(({ serverId }) => stillness.get(serverId)!.stillMs >= ENDED_AFTER_MS)) {
      const hasOthers = aheadMs !== null && running.length > 0;
      return { seenAt: await loadLastSeenAt(client), hasOthers, aheadMs };
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** A server without NATS holds the lease as long as it runs. */
function mayRun({ isShared, place }: RunningServer): boolean {
  return isShared && !isGone(place);
}

async function loadDatabaseMs(client: Pick<pg.ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
  );
  return rows[0]!.ms;
}
