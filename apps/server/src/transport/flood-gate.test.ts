import { once } from "node:events";
import { Agent, get, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMetrics } from "../platform/metrics/metrics.ts";
import { makeTestTime, type TestTime } from "../platform/testing/test-time.ts";
import type { FloodGateDeps, FloodLimits } from "./flood-gate.ts";
import { parseProxies } from "./http/client-address.ts";
import { createHttpServer } from "./http/http-server.ts";
import { makeRequestLimits } from "./http/request-limits.ts";
import type { HttpApp } from "./http/routes.ts";
import { openTestGate } from "./testing/test-gate.ts";
import { makeVisitorQueue } from "./visitor-queue.ts";

const NEVER = 3_600_000;
const NO_SHARE = { burst: 0, refillMs: NEVER };
const metrics = openMetrics({ process: false });
let time: TestTime;
let server: Server | null;
let entered: string[];
/** Answers of `/held` wait for it. */
let hold: PromiseWithResolvers<void>;

beforeEach(() => {
  time = makeTestTime();
  entered = [];
  hold = Promise.withResolvers<void>();
  server = null;
});
afterEach(async () => {
  hold.resolve();
  const own = server;
  own?.closeAllConnections();
  if (own !== null) await new Promise((resolve) => own.close(resolve));
});

async function listen(limits: Partial<FloodLimits>, deps: Partial<FloodGateDeps> = {}): Promise<void> {
  const app: HttpApp = new Hono();
  app.get("/refused", (context) => {
    entered.push(context.req.path);
    return context.text("too many", 429);
  });
  app.get("/held/:who", async (context) => {
    entered.push(context.req.path);
    await hold.promise;
    return context.text("held");
  });
  app.get("/", (context) => context.text("served"));
  const toKnownSource = (cookie: string | undefined): string | null => cookie ?? null;
  const floodGate = openTestGate(limits, { time, toKnownSource, ...deps });
  const own = createHttpServer(app, { floods: { floodGate, visitors: makeVisitorQueue() } });
  server = own;
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
}

function toPort(): number {
  const address = server?.address() as AddressInfo | null | undefined;
  return address?.port ?? 0;
}

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

function ask(path: string, headers: Readonly<Record<string, string>> = {}, agent?: Agent): Promise<Answer | null> {
  const port = toPort();
  return new Promise((resolve) => {
    get({ port, path, headers, agent: agent ?? false }, async (response: IncomingMessage) => {
      let text = "";
      for await (const data of response) text += data;
      resolve({ status: response.statusCode, connection: response.headers.connection, text });
    }).on("error", () => resolve(null));
  });
}

test("refuses a stranger who keeps being refused before any work, and no player at the same address", async () => {
  await listen({ wastePerSource: { burst: 2, refillMs: NEVER } }, { metrics });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let asked = 0; asked < 3; asked += 1) expect((await ask("/refused", {}, agent))?.text).toBe("too many");
  expect(entered).toHaveLength(3);
  const refused = await ask("/refused", {}, agent);
  expect(refused).toMatchObject({ status: 429, connection: "close" });
  expect(JSON.parse(refused?.text ?? "")).toMatchObject({ code: "too_many_requests" });
  expect(entered).toHaveLength(3);
  expect((await ask("/", { cookie: "ada" }))?.text).toBe("served");
  expect(await metrics.readValue("holo_requests_refused_total")).toBe(1);
  time.advance(10_000);
  expect((await ask("/"))?.text).toBe("served");
  agent.destroy();
});

test("limits the requests of a session for itself, and all sessions of one address together", async () => {
  await listen({ requestsPerSource: { burst: 1, refillMs: NEVER }, passesPerKnown: NO_SHARE });
  const statuses: (number | undefined)[] = [];
  for (const cookie of ["ada", "ada", "bola", "chidi"]) statuses.push((await ask("/", { cookie }))?.status);
  expect(statuses).toEqual([200, 429, 200, 200]);
  // What a session is refused for its own requests costs the others nothing.
  for (let index = 0; index < 7; index += 1) expect((await ask("/", { cookie: `p${index}` }))?.status).toBe(200);
  expect((await ask("/", { cookie: "one too many" }))?.status).toBe(429);
});

test("closes connections as they open if an address does not stop, for a few seconds", async () => {
  await listen({
    requestsPerSource: { burst: 1, refillMs: NEVER },
    refusalsPerAddress: { burst: 2, refillMs: 1_000 },
  });
  const answers: (number | undefined)[] = [];
  for (let asked = 0; asked < 5; asked += 1) answers.push((await ask("/"))?.status);
  expect(answers).toEqual([200, 429, 429, 429, undefined]);
  time.advance(5_000);
  expect((await ask("/"))?.status).toBe(429);
});

test("never closes the connections of a trusted proxy, and counts the addresses that it names", async () => {
  await listen(
    { requestsPerSource: { burst: 1, refillMs: NEVER }, refusalsPerAddress: { burst: 1, refillMs: NEVER } },
    { proxies: parseProxies(["127.0.0.1"]) },
  );
  const answers: (number | undefined)[] = [];
  for (let asked = 0; asked < 5; asked += 1)
    answers.push((await ask("/", { "x-forwarded-for": "203.0.113.7" }))?.status);
  expect(answers).toEqual([200, 429, 429, 429, 429]);
  expect((await ask("/", { "x-forwarded-for": "203.0.113.8" }))?.status).toBe(200);
});

test("closes a connection that pipelines, and shuts its address out once many do [OPS-18]", async () => {
  await listen({ wastePerSource: { burst: 100, refillMs: NEVER } });
  const pipeline = async (): Promise<void> => {
    const socket = connect(toPort(), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nhost: arena.test\r\n\r\n".repeat(2));
    socket.resume();
    await once(socket, "close");
  };
  await pipeline();
  expect((await ask("/"))?.status).toBe(200);
  for (let more = 0; more < 10; more += 1) await pipeline();
  expect((await ask("/"))?.status).toBe(429);
});

// [OPS-18 §-] Players who share a carrier's address are not shut out by a few of its users: each session has a share
// of its own, a faulty client loses its own connection first, and sessions and known devices log in, ask for mails and
// play whatever strangers of the address have used up.
test("leaves each session its share, whatever twenty others of its address use up [OPS-18]", () => {
  const gate = openTestGate(
    { requestsPerSource: { burst: 1_500, refillMs: 10 }, passesPerKnown: { burst: 100, refillMs: 500 } },
    { time },
  );
  const enter = (key: string) => gate.tryEnter({ key, address: "192.0.2.1", isKnown: true, isProxied: false });
  const limits = makeRequestLimits(time, { burst: 300, refillMs: 20 }, (cookie) => cookie ?? null);
  const ask = (cookie: string) => limits.tryAcquire({ address: "192.0.2.1", cookie, userAgent: "" });
  for (let asked = 0; asked < 1_600; asked += 1) {
    for (let flooder = 0; flooder < 20; flooder += 1) {
      enter(`flooder ${flooder}`);
      ask(`flooder ${flooder}`);
    }
  }
  for (let asked = 0; asked < 100; asked += 1) expect([enter("ada"), ask("ada")]).toEqual([true, true]);
  expect([enter("ada"), ask("ada")]).toEqual([false, false]);
  time.advance(500);
  expect([enter("ada"), ask("ada")]).toEqual([true, true]);
});

test("shuts out no session for what others of its address have used up", () => {
  const gate = openTestGate(
    {
      requestsPerSource: { burst: 3, refillMs: 1_000 },
      wastePerSource: { burst: 2, refillMs: NEVER },
      passesPerKnown: NO_SHARE,
    },
    { time },
  );
  const enter = (key: string) => gate.tryEnter({ key, address: "192.0.2.1", isKnown: true, isProxied: false });
  for (let other = 0; other < 30; other += 1) expect(enter(`other ${other % 10}`)).toBe(true);
  for (let asked = 0; asked < 3; asked += 1) expect(enter("ada")).toBe(false);
  time.advance(1_000);
  expect(enter("ada")).toBe(true);
});

test("lets a session pass the strangers, unless it asks for much; no stranger passes", () => {
  const gate = openTestGate({ passesPerKnown: { burst: 2, refillMs: 500 } }, { time });
  const known = { key: "session", address: "192.0.2.1", isKnown: true, isProxied: false };
  const tryPass = (count: number) => Array.from({ length: count }, () => gate.tryPass(known));
  expect(tryPass(3)).toEqual([true, true, false]);
  expect(gate.tryPass({ ...known, key: "another session" })).toBe(true);
  expect(gate.tryPass({ ...known, key: known.address, isKnown: false })).toBe(false);
  time.advance(500);
  expect(tryPass(2)).toEqual([true, false]);
});

test("serves few strangers at a time, and players meanwhile", async () => {
  await listen({});
  // Less than the counted time: slow requests stop counting after it.
  const strangers = Array.from({ length: 6 }, (_, index) => ask(`/held/${index}`));
  await expect.poll(() => entered.length).toBeGreaterThanOrEqual(2);
  const players = Array.from({ length: 6 }, (_, index) => ask(`/held/p${index}`, { cookie: `p${index}` }));
  await expect.poll(() => entered.filter((path) => path.startsWith("/held/p")).length).toBe(6);
  hold.resolve();
  for (const answer of await Promise.all([...strangers, ...players])) expect(answer?.status).toBe(200);
});
