import { afterAll, beforeAll, expect, test } from "vitest";
import { openBus } from "../platform/bus.ts";
import { type Cluster, makeOnlyServer } from "../platform/cluster/cluster.ts";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import { startRefreshTimer } from "./refresh-timer.ts";

const SECOND_MS = 1_000;
/** The wheel fires up to a tick late. */
const TICK_MS = 50;

let database: Database;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("reads every second what others have done, and a quarter of a second after missed messages", async () => {
  const time = makeTestTime();
  const log = openTestLog();
  const wheel = openTimerWheel({ time, log });
  let noteMissed = (): void => undefined;
  const cluster: Cluster = {
    ...makeOnlyServer(),
    isShared: true,
    onMissed: (call) => {
      noteMissed = call;
    },
  };
  const runs = { caughtUp: 0, resynced: 0 };
  let isFailing = false;
  const stop = startRefreshTimer(
    { bus: openBus(log), cluster, database, time, wheel, log, bootId: crypto.randomUUID() },
    {
      accounts: { forgetSessions: () => undefined },
      arena: {
        async catchUp() {
          runs.caughtUp += 1;
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
    // The run of before has ended once the wheel holds the next one.
    await expect.poll(() => wheel.size).toBe(1);
    time.advance(ms + TICK_MS);
    wheel.tick();
    return { ...runs };
  }

  expect(await advance(SECOND_MS)).toEqual({ caughtUp: 1, resynced: 1 });
  expect(await advance(SECOND_MS)).toEqual({ caughtUp: 2, resynced: 1 });
  await expect.poll(() => wheel.size).toBe(1);
  noteMissed();
  noteMissed();
  expect(await advance(SECOND_MS / 4)).toEqual({ caughtUp: 3, resynced: 2 });
  // Missed during the run, which has read some of it already.
  noteMissed();
  expect(await advance(SECOND_MS / 10)).toEqual({ caughtUp: 3, resynced: 2 });
  isFailing = true;
  expect(await advance(SECOND_MS / 10)).toEqual({ caughtUp: 4, resynced: 3 });
  // A database that is away is not asked more often, and what was missed is read once it is back.
  expect(await advance(SECOND_MS / 2)).toEqual({ caughtUp: 4, resynced: 3 });
  isFailing = false;
  expect(await advance(SECOND_MS / 2)).toEqual({ caughtUp: 5, resynced: 4 });
  stop();
  expect(wheel.size).toBe(0);
  wheel.stop();
});
