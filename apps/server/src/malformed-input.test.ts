import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import type { Route } from "@holo/protocol/route.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import { parseFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import fc, { type Arbitrary } from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { TestPlayer } from "./accounts/testing/test-players.ts";
import { listInvariants } from "./invariants.ts";
import type { Database } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { openFiles } from "./platform/files/open-files.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { arbitraryBody, arbitraryFrame } from "./testing/malformed-values.ts";
import { addServerPlayers } from "./testing/server-players.ts";
import { makeServerProcess, type ServerProcess } from "./testing/server-process.ts";

/**
 * Sends malformed frames and requests to a server in its own process. Each is refused or closed,
 * nothing is written, and the process neither faults, ends nor grows.
 */
const isDeep = process.env.DEEP === "1";
const FRAMES = isDeep ? 1_000_000 : 2_400;
const REQUESTS = isDeep ? 100_000 : 300;
const FRAMES_PER_CONNECTION = 300;
const CONNECTIONS_AT_ONCE = 4;
/** One connection each: the frames of a player are limited over all connections. */
const PLAYERS = isDeep ? 40 : 2;
/** Long runs wait for a busy machine. */
const PATIENCE_MS = isDeep ? 3_600_000 : 60_000;
const PAGE = "http://arena.test";
const SEED = isDeep ? Date.now() : 20_261_122;
/** What a warm heap may vary by; in a long run a leak of 100 bytes a frame would exceed it. */
const GROWTH_BYTES_MAX = isDeep ? 64 * 1024 * 1024 : Number.POSITIVE_INFINITY;

let database: Database;
let folder: string;
let server: ServerProcess;
let players: readonly TestPlayer[];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), "holo-malformed-"));
  server = await makeServerProcess({
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    PUBLIC_URL: PAGE,
    TRUSTED_PROXIES: "127.0.0.1,::1",
  });
  await server.start();
  players = await addServerPlayers(database, PLAYERS, 0);
});

afterAll(async () => {
  await server.end("SIGTERM");
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** Varies the client address: the limits of one address would answer most of a long run. */
let clients = 0;
function makeNextClient(): string {
  clients += 1;
  return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
}

function sample<Value>(arbitrary: Arbitrary<Value>, count: number, part: number): readonly Value[] {
  return fc.sample(arbitrary, { numRuns: count, seed: SEED + part });
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.split(" ")[1]);
}

async function sendFrames(frames: readonly string[], cookie: string | null): Promise<void> {
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/socket`, {
    headers: { origin: PAGE, "x-forwarded-for": makeNextClient(), ...(cookie !== null && { cookie }) },
  });
  const last = randomUUID();
  const malformed = frames.filter((text) => !parseFrame(text).ok).length;
  let refused = 0;
  let isAnswered = false;
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", () => (isAnswered ? resolve() : reject(new Error(`closed before its answer, seed ${SEED}`))));
    socket.on("open", () => {
      for (const text of frames) socket.send(text);
      socket.send(JSON.stringify({ type: "join", commandId: last, gameId: randomUUID(), sentAgoMs: 0 }));
    });
    socket.on("message", (data) => {
      const frame = JSON.parse(String(data)) as ServerFrame;
      if (frame.type === "bad_frame") refused += 1;
      if (frame.type !== "refused") return;
      if (frame.refusal.code === "something_went_wrong") reject(new Error(`a frame caused a fault, seed ${SEED}`));
      if (frame.commandId !== last) return;
      isAnswered = true;
      socket.close();
    });
  });
  expect(refused, `seed ${SEED}`).toBe(malformed);
}

test(
  "every malformed frame is refused, and the connection and the server go on",
  async () => {
    let part = 0;
    let warmBytes = 0;
    async function sendBatches(until: number): Promise<void> {
      while (part * FRAMES_PER_CONNECTION < until) {
        const own = part;
        part += 1;
        await sendFrames(sample(arbitraryFrame, FRAMES_PER_CONNECTION, own), players[own]?.cookie ?? null);
      }
    }
    for (const until of [FRAMES / 2, FRAMES]) {
      await Promise.all(Array.from({ length: CONNECTIONS_AT_ONCE }, () => sendBatches(until)));
      warmBytes ||= await readMetric("process_resident_memory_bytes");
    }
    expect(await readMetric("process_resident_memory_bytes")).toBeLessThan(warmBytes + GROWTH_BYTES_MAX);
    await expectUnchanged();
  },
  PATIENCE_MS,
);

interface MalformedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "HEAD", "PROPFIND"];
const SEGMENTS = ["%00", "..", "%2e%2e", "%2F", "%", "a".repeat(3_000), "-1", "1e309", "%F0%9F%98%80", "null", "*"];
const QUERIES = ["", "?", "?a=1&a=2", "?cursor=-1", "?limit=1e9", "?%00=%00", "?__proto__[x]=1", "?%"];
const TYPES = ["application/json", "application/json; charset=utf-16", "text/plain", "multipart/form-data", ""];

function arbitraryRequest(route: Route): Arbitrary<MalformedRequest> {
  const segment = fc.oneof(fc.constantFrom(...SEGMENTS), fc.uuid());
  return fc.record({
    method: fc.oneof({ weight: 4, arbitrary: fc.constant(route.method.toUpperCase()) }, fc.constantFrom(...METHODS)),
    target: fc
      .tuple(segment, fc.constantFrom(...QUERIES))
      .map(([id, query]) => route.path.replace(/\{\w+\}/g, id) + query),
    headers: fc.record({
      "content-type": fc.constantFrom(...TYPES),
      origin: fc.constantFrom(PAGE, PAGE, "null", "http://evil.test"),
      cookie: fc.constantFrom(
        ...players.map((player) => player.cookie),
        "",
        "session=; session=%",
        "a=b; ".repeat(200),
      ),
    }),
    body: route.body === undefined ? fc.constant("") : arbitraryBody(route.body),
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** The status; null if the server closed the connection or answered no valid HTTP. */
function sendRequest({ method, target, headers, body }: MalformedRequest): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        host: "127.0.0.1",
        port: server.port,
        method,
        path: target,
        headers: { ...headers, "x-forwarded-for": makeNextClient(), "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? null));
        response.on("error", () => resolve(null));
      },
    );
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}

async function sendAll(requests: Iterable<MalformedRequest>): Promise<void> {
  for (const one of requests) {
    const status = await sendRequest(one);
    expect(status ?? 400, `${one.method} ${one.target} ${one.body}, seed ${SEED}`).toBeLessThan(500);
  }
}

test(
  "every malformed request is refused or closed, and none causes a fault",
  async () => {
    const routes = Object.values(ROUTES) as readonly Route[];
    const perRoute = Math.ceil(REQUESTS / 2 / routes.length);
    let warmBytes = 0;
    for (const half of [0, 1]) {
      const requests = routes.flatMap((route, part) =>
        sample(arbitraryRequest(route), perRoute, half * routes.length + part),
      );
      const queue = requests.values();
      await Promise.all(Array.from({ length: 16 }, () => sendAll(queue)));
      warmBytes ||= await readMetric("process_resident_memory_bytes");
    }
    expect(await readMetric("process_resident_memory_bytes")).toBeLessThan(warmBytes + GROWTH_BYTES_MAX);
    agent.destroy();
    expect(await readMetric("holo_http_faults_total")).toBe(0);
    await expectUnchanged();
  },
  PATIENCE_MS,
);

const RAW_REQUESTS = [
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
  "POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
  "POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
  "POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /api/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n",
  "GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  "GET /socket HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
  "GET http://[::bad/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
  "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
];

/** The status line of what the server answers; empty if it closes the connection. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket: Socket = connect(server.port, "127.0.0.1", () => socket.end(text, "latin1"));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer.split("\r\n")[0]!));
  });
}

test.each(RAW_REQUESTS.map((text) => [text]))("bytes that are no request are refused or closed: %j", async (text) => {
  expect(await sendRaw(text)).toMatch(/^$|^HTTP\/1\.1 (200|4\d\d) /);
});

async function expectUnchanged(): Promise<void> {
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  const invariants = listInvariants(openFiles({ type: "disk", folder }));
  expect(await audit(database.kysely, invariants)).toBeNull();
  const { rows } = await database.pool.query("select count(*)::int as count from ledger_entries");
  expect(rows[0].count).toBe(0);
}
