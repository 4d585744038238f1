import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { Hono } from "hono";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { ORIGIN, openTestHttp, PASSWORD, type TestHttp } from "../testing/test-http.ts";
import { createHttpServer } from "./http-server.ts";
import { readBytes } from "./read-body.ts";
import type { HttpApp } from "./routes.ts";

let database: Database;
let http: TestHttp;
let server: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  server = createHttpServer(http.app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await http.close();
  await database.close();
});

async function listen(app: HttpApp, options: Parameters<typeof createHttpServer>[1] = {}): Promise<Server> {
  const own = createHttpServer(app, options);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  return own;
}

async function end(own: Server): Promise<void> {
  own.closeAllConnections();
  await new Promise((resolve) => own.close(resolve));
}

async function openConnection(own: Server): Promise<Socket> {
  const socket = connect((own.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    socket.once("connect", resolve);
    socket.once("close", () => resolve());
  });
  return socket;
}

/** False if the connection ends without an answer, also by a reset. */
function isAnswered(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once("data", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
}

const toRequestText = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: arena.test\r\n\r\n`;

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

function post(path: string, headers: Record<string, string>, chunks: readonly string[]): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, method: "POST", agent: false, headers: { origin: ORIGIN, ...headers } });
    sent.on("error", reject);
    sent.on("response", (response: IncomingMessage) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

const json = { "content-type": "application/json" };

test("stores a session's real network address, whatever the client claims", async () => {
  await http.logIn("Where");
  const form = JSON.stringify({ email: "where@example.com", password: PASSWORD });
  const answer = await post("/api/login", { ...json, "x-forwarded-for": "203.0.113.9" }, [form]);
  expect(answer.status).toBe(200);
  const { rows } = await sql<{ address: string }>`
    select address from sessions where address <> ''`.execute(database.kysely);
  expect(rows).toEqual([{ address: "127.0.0.1" }]);
});

test("limits a chunked body", async () => {
  const chunks = Array.from({ length: 20 }, () => "x".repeat(1024));
  expect(await post("/api/login", json, chunks)).toMatchObject({
    status: 413,
    text: expect.stringContaining("too_large"),
  });
});

test("limits headers", async () => {
  expect((await post("/api/login", { ...json, cookie: "x".repeat(9 * 1024) }, ["{}"])).status).toBe(431);
});

test.each(["/api/%2e%2e/metrics", "/api/../metrics", "/api/.%2E/metrics", "/api\\..\\metrics", "/./metrics"])(
  "refuses %s, which a proxy reads as another path",
  async (path) => {
    const status = await new Promise((resolve, reject) => {
      request({ port: (server.address() as AddressInfo).port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
  },
);

test("disconnects a sender whose body is slow", async () => {
  const app: HttpApp = new Hono();
  app.post("/slow", async (context) => context.text(String((await readBytes(context, 100, 100))?.length)));
  // A closed connection gets no response.
  app.onError((_fault, context) => context.body(null, 500));
  const own = await listen(app);
  const { port } = own.address() as AddressInfo;
  const sent = request({ port, path: "/slow", method: "POST", agent: false, headers: { "content-length": "2" } });
  const failed = once(sent, "error");
  sent.write("o");
  expect((await failed)[0]).toMatchObject({ code: "ECONNRESET" });
  await end(own);
});

test("disconnects slow headers", () => {
  expect(createHttpServer(new Hono()).headersTimeout).toBe(10_000);
});

async function countFaults(): Promise<string | undefined> {
  const metrics = await http.app.request("/metrics", {}, {});
  return /^holo_http_faults_total (\d+)$/m.exec(await metrics.text())?.[1];
}

test("does not log an aborted request as a fault", async () => {
  const before = await countFaults();
  const { port } = server.address() as AddressInfo;
  const arrived = once(server, "request") as Promise<[IncomingMessage]>;
  const headers = { origin: ORIGIN, ...json, "content-length": "100" };
  const sent = request({ port, path: "/api/login", method: "POST", agent: false, headers });
  sent.on("error", () => undefined);
  sent.write("{");
  const [incoming] = await arrived;
  sent.destroy();
  await new Promise((resolve) => incoming.once("close", resolve));
  // A fault would be counted before the next request is answered.
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(await countFaults()).toBe(before);
});

test("does not log a request as a fault whose client left after its last byte and before it was read", async () => {
  const before = await countFaults();
  const incoming = Object.assign(new Readable({ read: () => undefined }), { complete: true, headers: {}, socket: {} });
  incoming.on("error", () => undefined).destroy(new Error("aborted"));
  const headers = { origin: ORIGIN, ...json };
  await http.app.request("/api/login", { method: "POST", headers }, { incoming });
  expect(await countFaults()).toBe(before);
});

describe("a connection", () => {
  test("is closed if the client stops reading an answer", async () => {
    const app: HttpApp = new Hono();
    app.get("/file", () => new Response(new Uint8Array(20_000_000)));
    const own = await listen(app, { writeTimeoutMs: 60_000 });
    expect(own.timeout).toBe(60_000);
    const stalled = await openConnection(own);
    const arrived = once(own, "request") as Promise<[IncomingMessage]>;
    stalled.pause();
    stalled.write(toRequestText("/file"));
    const [{ socket }] = await arrived;
    const closed = once(socket, "close");
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    // Shorter only now: a busy machine may take longer from the connection to its answer.
    socket.setTimeout(50);
    await closed;
    stalled.destroy();
    await end(own);
  });

  test("stays open while the client reads an answer slowly", async () => {
    const app: HttpApp = new Hono();
    const bytes = new Uint8Array(20_000_000);
    app.get("/file", () => new Response(bytes));
    const writeTimeoutMs = 1_000;
    const own = await listen(app, { writeTimeoutMs });
    /** Longer than the timeout in total, with short pauses unless the machine is busy. */
    const readSlowly = async (): Promise<{ readonly received: number; readonly longestMs: number }> => {
      const socket = await openConnection(own);
      socket.write("GET /file HTTP/1.1\r\nhost: arena.test\r\nconnection: close\r\n\r\n");
      let [received, pauses, longestMs, readMs] = [0, 0, 0, performance.now()];
      const note = (): void => {
        longestMs = Math.max(longestMs, performance.now() - readMs);
        readMs = performance.now();
      };
      try {
        for await (const data of socket) {
          note();
          received += data.length;
          if (received < pauses * 2_000_000) continue;
          await new Promise((resolve) => setTimeout(resolve, 120));
          pauses += 1;
        }
      } catch {
        // The server closed the connection.
      }
      note();
      return { received, longestMs };
    };
    let read = await readSlowly();
    while (read.longestMs > writeTimeoutMs / 2) read = await readSlowly();
    expect(read.received).toBeGreaterThan(bytes.length);
    await end(own);
  });

  test("stays open while the server prepares an answer", async () => {
    const app: HttpApp = new Hono();
    const gate = Promise.withResolvers<void>();
    app.get("/late", async (context) => {
      await gate.promise;
      return context.text("late");
    });
    const own = await listen(app);
    const socket = await openConnection(own);
    const arrived = once(own, "request") as Promise<[IncomingMessage]>;
    socket.write(toRequestText("/late"));
    const [incoming] = await arrived;
    // As Node does when nothing was sent for a while.
    for (let timeouts = 0; timeouts < 3; timeouts += 1) own.emit("timeout", incoming.socket);
    gate.resolve();
    const [data] = await once(socket, "data");
    expect(String(data)).toContain("late");
    await end(own);
  });

  test("is refused beyond the limit of the server, until another one has left", async () => {
    const app: HttpApp = new Hono();
    app.get("/", (context) => context.text("served"));
    const own = await listen(app, { connectionsMax: 2 });
    const isServed = async (socket: Socket): Promise<boolean> => {
      if (socket.closed) return false;
      socket.write(toRequestText("/"));
      return await isAnswered(socket);
    };
    const arrived = once(own, "connection") as Promise<[Socket]>;
    const first = await openConnection(own);
    expect(await isServed(first)).toBe(true);
    expect(await isServed(await openConnection(own))).toBe(true);
    expect(await isServed(await openConnection(own))).toBe(false);
    const left = once((await arrived)[0], "close");
    first.destroy();
    await left;
    expect(await isServed(await openConnection(own))).toBe(true);
    await end(own);
  });
});
