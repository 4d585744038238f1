import { Agent, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeTestTime, type TestTime } from "../../platform/testing/test-time.ts";
import { parseProxies } from "../http/client-address.ts";
import { createHttpServer } from "../http/http-server.ts";
import type { HttpApp } from "../http/routes.ts";
import { openTestAdmission } from "../testing/test-admission.ts";
import { type AdmissionDeps, type AdmissionLimits, COST } from "./admission.ts";

const HOUR_MS = 3_600_000;
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

const requests = (count: number, everyMs = HOUR_MS) => ({
  burst: count * COST.request,
  refillMs: everyMs / COST.request,
});

async function listen(limits: Partial<AdmissionLimits>, deps: Partial<AdmissionDeps> = {}): Promise<void> {
  const app: HttpApp = new Hono();
  app.get("/held/:who", async (context) => {
    entered.push(context.req.path);
    await hold.promise;
    return context.text("held");
  });
  app.get("/", (context) => context.text("served"));
  const toKnownSource = (cookie: string | undefined): string | null => cookie ?? null;
  const own = createHttpServer(app, { admission: openTestAdmission(limits, { time, toKnownSource, ...deps }) });
  server = own;
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
}

interface Answer {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

function ask(path: string, headers: Readonly<Record<string, string>> = {}, agent?: Agent): Promise<Answer | null> {
  const { port } = server!.address() as AddressInfo;
  return new Promise((resolve) => {
    get({ port, path, headers, agent: agent ?? false }, async (response: IncomingMessage) => {
      let text = "";
      for await (const data of response) text += data;
      resolve({ status: response.statusCode, connection: response.headers.connection, text });
    }).on("error", () => resolve(null));
  });
}

// [OPS-18 §-] Players who share a carrier's address are not shut out by a few of its users: each session has a share
// of its own, a faulty client loses its own connection first, and sessions and known devices log in, ask for mails and
// play whatever strangers of the address have used up.
test("refuses strangers of an address that has used up its budget, and no one who is known there [OPS-18]", async () => {
  await listen({ perAddress: requests(3, 1_000) }, { metrics });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let asked = 0; asked < 3; asked += 1) expect((await ask("/", {}, agent))?.text).toBe("served");
  const refused = await ask("/", {}, agent);
  expect(refused).toMatchObject({ status: 429, connection: "close" });
  expect(JSON.parse(refused?.text ?? "")).toMatchObject({ code: "too_many_requests" });
  expect(await metrics.readValue("holo_requests_refused_total")).toBe(1);
  for (const cookie of ["ada", "bola"]) expect((await ask("/", { cookie }))?.text).toBe("served");
  time.advance(1_000);
  expect((await ask("/"))?.text).toBe("served");
  agent.destroy();
});

test("limits a session by what it asks for itself, and no other one", async () => {
  await listen({ perKnown: requests(2) });
  const statuses: (number | undefined)[] = [];
  for (const cookie of ["ada", "ada", "ada", "bola"]) statuses.push((await ask("/", { cookie }))?.status);
  expect(statuses).toEqual([200, 200, 429, 200]);
});

test("lets a session pay for all of its connections, each of which has a bucket of its own", () => {
  const limits = { perKnown: { burst: 10, refillMs: 1_000 }, perConnectionOfKnown: { burst: 6, refillMs: 1_000 } };
  const admission = openTestAdmission(limits, { time });
  const session = { key: "session", address: "192.0.2.1", isKnown: true };
  const [first, second] = [admission.openMeter(session), admission.openMeter(session)];
  expect([first.trySpend(6), first.trySpend(1)]).toEqual([true, false]);
  expect([second.trySpend(4), second.trySpend(1)]).toEqual([true, false]);
  time.advance(1_000);
  expect(second.trySpend(1)).toBe(true);
});

test("counts the addresses that a trusted proxy names, and keeps its connection", async () => {
  await listen({ perAddress: requests(1) }, { proxies: parseProxies(["127.0.0.1"]) });
  const answers: (number | undefined)[] = [];
  for (const address of ["203.0.113.7", "203.0.113.7", "203.0.113.8"])
    answers.push((await ask("/", { "x-forwarded-for": address }))?.status);
  expect(answers).toEqual([200, 429, 200]);
});

test("serves few strangers at a time, and players meanwhile", async () => {
  await listen({ strangersAtOnceMax: 2 });
  const strangers = Array.from({ length: 6 }, (_, index) => ask(`/held/${index}`));
  await expect.poll(() => entered.length).toBe(2);
  const players = Array.from({ length: 6 }, (_, index) => ask(`/held/p${index}`, { cookie: `p${index}` }));
  await expect.poll(() => entered.filter((path) => path.startsWith("/held/p")).length).toBe(6);
  hold.resolve();
  for (const answer of await Promise.all([...strangers, ...players])) expect(answer?.status).toBe(200);
});

test("lets a session pass the strangers, unless it asks for much", () => {
  const admission = openTestAdmission({ perKnown: { burst: 10, refillMs: 1_000 }, strangersAtOnceMax: 1 }, { time });
  const known = { key: "session", address: "192.0.2.1", isKnown: true };
  let started = 0;
  const serve = (source = known) => {
    const start = (): void => {
      started += 1;
    };
    admission.serve(source, { start, refuse: expect.fail });
    return started;
  };
  expect(serve({ key: "192.0.2.2", address: "192.0.2.2", isKnown: false })).toBe(1);
  expect(serve()).toBe(2);
  admission.charge(known, 6);
  expect(serve()).toBe(2);
  expect(serve({ ...known, key: "another session" })).toBe(3);
  time.advance(1_000);
  expect(serve()).toBe(4);
});
