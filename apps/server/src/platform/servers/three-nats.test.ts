import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { openMetrics } from "../metrics/metrics.ts";
import { findPort } from "../testing/free-port.ts";
import { makeBareServer } from "../testing/test-links.ts";
import { openTestLog } from "../testing/test-log.ts";
import { startTestNats, type TestNats } from "../testing/test-nats.ts";
import { openTimerWheel } from "../time/timer-wheel.ts";
import { type Links, openLinks } from "./links.ts";
import { type Carrier, openNats } from "./nats.ts";

const ends: (() => unknown)[] = [];
const log = openTestLog();

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const IDS = ["server-0", "server-1", "server-2"];

/** Three servers of NATS that form one cluster. */
async function startCluster(): Promise<readonly TestNats[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-nats-"));
  ends.push(() => rmSync(folder, { recursive: true }));
  const ports = await Promise.all(IDS.map(findPort));
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join();
  return await Promise.all(
    ports.map(async (port, index) => {
      const file = path.join(folder, `${index}.conf`);
      writeFileSync(file, `cluster { name: holo, listen: "127.0.0.1:${port}", routes: [${routes}] }`);
      const nats = await startTestNats(file);
      ends.push(nats.kill);
      return nats;
    }),
  );
}

interface Server {
  readonly carrier: Carrier;
  readonly links: Links;
  readonly received: number[];
}

/** It answers its own id. */
function open(id: string, { url }: TestNats): Server {
  const time = { now: () => 0 as never, monotonicMs: () => performance.now() };
  const wheel = openTimerWheel({ time, log });
  const metrics = openMetrics({ process: false });
  const carrier = openNats({ url, credentialsFile: null, name: id, log, metrics });
  const own = makeBareServer(
    id,
    IDS.filter((other) => other !== id),
  );
  const secret = "the secret of all servers of a test";
  const links = openLinks({ carrier, own, secret, time, wheel, log, metrics, prefix: "holo.test" });
  const received: number[] = [];
  links.onMessage("count", (number: number) => received.push(number));
  links.onRequest("who", async () => id);
  ends.push(wheel.stop, carrier.close, links.close);
  return { carrier, links, received };
}

/** What each is answered by the others. */
async function askAll(servers: readonly Server[]): Promise<readonly unknown[]> {
  const answers = servers.flatMap(({ links }, index) =>
    IDS.filter((_, other) => other !== index).map((id) => links.request(id, "who", null, 1_000)),
  );
  return (await Promise.allSettled(answers)).map((one) => (one.status === "fulfilled" ? one.value : null));
}

const ALL = [IDS[1], IDS[2], IDS[0], IDS[2], IDS[0], IDS[1]];

// [SERVERS-53 §-] Servers that are connected to three servers of NATS reach each other through any of them. If one of
// the three ends, its servers go on over the others, and what was sent meanwhile in other ways arrives once and in order.
test("servers reach each other over three servers of NATS, also after one of these was killed [SERVERS-53]", async () => {
  const cluster = await startCluster();
  const servers = cluster.map((nats, index) => open(IDS[index]!, nats));
  await expect.poll(() => askAll(servers)).toEqual(ALL);
  const [first, second] = servers as [Server, Server];
  const numbers = Array.from({ length: 500 }, (_, index) => index);
  const killing = cluster[2]!.kill();
  for (const number of numbers) {
    first.links.send(IDS[1]!, "count", number);
    if (number % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await killing;
  await expect.poll(() => second.received.length).toBe(numbers.length);
  expect(second.received).toEqual(numbers);
  await expect.poll(() => askAll(servers)).toEqual(ALL);
});
