import { afterAll, beforeAll, expect, test } from "vitest";
import { openBus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import { toTimestamp } from "../platform/database/timestamp.ts";
import { openMetrics } from "../platform/metrics/metrics.ts";
import { makeOnlyServer, type Servers } from "../platform/servers/servers.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import type { ServerTopics } from "./platform.ts";
import { startRefreshTimer } from "./refresh-timer.ts";

const SECOND_MS = 1_000;
/** The wheel fires up to a tick late. */
const TICK_MS = 50;

let database: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("reads every second what others have done, and a quarter of a second after missed messages [SERVERS-36]", async () => {
  const time = makeTestTime();
  const log = openTestLog();
  const wheel = openTimerWheel({ time, log });
  let noteMissed = (): void => undefined;
  const servers: Servers = {
    ...makeOnlyServer(),
    isShared: true,
    onMissed: (call) => {
      noteMissed = call;
    },
  };
  const metrics = openMetrics({ process: false });
  const runs = { caughtUp: 0, resynced: 0, sessionsChecked: 0 };
  const bus = openBus<ServerTopics>(log);
  bus.subscribe("sessions_ended", () => {
    runs.sessionsChecked += 1;
  });
  let isFailing = false;
  let isMissing = false;
  const stop = startRefreshTimer(
    { bus, servers, metrics, database, time, wheel, log, serverId: crypto.randomUUID() },
    {
      arena: {
        async catchUp() {
          runs.caughtUp += 1;
          if (isMissing) noteMissed();
          if (isFailing) throw new Error("the database is away");
        },
        async resync() {
          runs.resynced += 1;
          return false;
        },
      },
      settings: { refresh: async () => undefined },
      maintenance: { refresh: async () => undefined },
    },
  );
  async function advance(ms: number): Promise<typeof runs> {
    time.advance(ms + TICK_MS);
    wheel.tick();
    // A run has ended once the wheel holds the next one.
    await expect.poll(() => wheel.size).toBe(1);
    return { ...runs };
  }

  expect(await advance(SECOND_MS)).toEqual({ caughtUp: 1, resynced: 1, sessionsChecked: 1 });
  expect(await advance(SECOND_MS)).toEqual({ caughtUp: 2, resynced: 1, sessionsChecked: 1 });
  noteMissed();
  noteMissed();
  // Missed during the run, which has read some of it already.
  isMissing = true;
  expect(await advance(SECOND_MS / 4)).toEqual({ caughtUp: 3, resynced: 2, sessionsChecked: 2 });
  isMissing = false;
  expect(await advance(SECOND_MS / 10)).toEqual({ caughtUp: 3, resynced: 2, sessionsChecked: 2 });
  isFailing = true;
  expect(await advance(SECOND_MS / 10)).toEqual({ caughtUp: 4, resynced: 3, sessionsChecked: 3 });
  // A database that is away is not asked more often, and what was missed is read once it is back.
  expect(await advance(SECOND_MS / 2)).toEqual({ caughtUp: 4, resynced: 3, sessionsChecked: 3 });
  isFailing = false;
  expect(await advance(SECOND_MS / 2)).toEqual({ caughtUp: 5, resynced: 4, sessionsChecked: 4 });
  // NATS may be frozen: the database alone knows of a server that is not heard of.
  await database.pool.query(
    `insert into servers (server_id, name, started_at, last_seen_at, serving_at, is_shared)
     values (gen_random_uuid(), 'silent', $1, $1, $1, true)`,
    [toTimestamp(time.now())],
  );
  expect(await metrics.readValue("holo_servers")).toBe(1);
  expect(await advance(SECOND_MS)).toEqual({ caughtUp: 6, resynced: 5, sessionsChecked: 5 });
  expect(await metrics.readValue("holo_servers")).toBe(2);
  stop();
  expect(wheel.size).toBe(0);
  wheel.stop();
});
