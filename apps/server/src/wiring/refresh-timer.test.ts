import { expect, test } from "vitest";
import { openBus } from "../platform/bus.ts";
import { openMetrics } from "../platform/metrics/metrics.ts";
import { makeBareServer } from "../platform/testing/test-links.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { openTimerWheel } from "../platform/time/timer-wheel.ts";
import type { ServerTopics } from "./platform.ts";
import { startRefreshTimer } from "./refresh-timer.ts";

const SECOND_MS = 1_000;
/** The wheel fires up to a tick late. */
const TICK_MS = 50;

test("reads every second what others have done, and a quarter of a second after missed messages [SERVERS-36]", async () => {
  const time = makeTestTime();
  const log = openTestLog();
  const wheel = openTimerWheel({ time, log });
  const own = makeBareServer("here");
  let noteMissed = (): void => undefined;
  let [isConnected, silentMs] = [true, 0];
  const links = {
    get isConnected() {
      return isConnected;
    },
    silentMs: () => silentMs,
    onGap: (call: (from: string) => void) => {
      noteMissed = () => call("there");
    },
  };
  const metrics = openMetrics({ process: false });
  const runs = { read: 0, resynced: 0, sessionsChecked: 0 };
  const bus = openBus<ServerTopics>(log);
  bus.subscribe("sessions_ended", () => {
    runs.sessionsChecked += 1;
  });
  let isFailing = false;
  let isMissing = false;
  const stop = startRefreshTimer(
    { bus, own, links, metrics, time, wheel, log },
    {
      lobby: {
        listConnected: () => [],
        resync: async () => undefined,
        async refreshOnline() {
          runs.read += 1;
          if (isMissing) noteMissed();
          if (isFailing) throw new Error("the database is away");
        },
      },
      games: {
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

  expect(await advance(SECOND_MS)).toEqual({ read: 1, resynced: 1, sessionsChecked: 1 });
  expect(await advance(SECOND_MS)).toEqual({ read: 2, resynced: 1, sessionsChecked: 1 });
  noteMissed();
  noteMissed();
  // Missed during the run, which has read some of it already.
  isMissing = true;
  expect(await advance(SECOND_MS / 4)).toEqual({ read: 3, resynced: 2, sessionsChecked: 2 });
  isMissing = false;
  expect(await advance(SECOND_MS / 10)).toEqual({ read: 3, resynced: 2, sessionsChecked: 2 });
  isFailing = true;
  expect(await advance(SECOND_MS / 10)).toEqual({ read: 4, resynced: 3, sessionsChecked: 3 });
  // A database that is away is not asked more often, and what was missed is read once it is back.
  expect(await advance(SECOND_MS / 2)).toEqual({ read: 4, resynced: 3, sessionsChecked: 3 });
  isFailing = false;
  expect(await advance(SECOND_MS / 2)).toEqual({ read: 5, resynced: 4, sessionsChecked: 4 });
  expect(await metrics.readValue("holo_servers")).toBe(1);
  own.setOthers(["there"]);
  expect(await metrics.readValue("holo_servers")).toBe(2);
  // NATS may be frozen, or away.
  silentMs = 1_501;
  expect(await advance(SECOND_MS)).toEqual({ read: 6, resynced: 5, sessionsChecked: 5 });
  silentMs = 0;
  isConnected = false;
  expect(await advance(SECOND_MS)).toEqual({ read: 7, resynced: 6, sessionsChecked: 6 });
  isConnected = true;
  expect(await advance(SECOND_MS)).toEqual({ read: 8, resynced: 6, sessionsChecked: 6 });
  stop();
  expect(wheel.size).toBe(0);
  wheel.stop();
});
