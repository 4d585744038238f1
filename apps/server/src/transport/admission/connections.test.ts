import { once } from "node:events";
import { type Server, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { parseProxies } from "../http/client-address.ts";
import { createHttpServer } from "../http/http-server.ts";
import type { HttpApp } from "../http/routes.ts";
import { sendUntilClosed } from "../testing/raw-connection.ts";
import { openTestAdmission } from "../testing/test-admission.ts";
import type { AdmissionLimits } from "./admission.ts";
import { exemptUpload } from "./connections.ts";

const NEVER = 3_600_000;
/** About ten thousand bytes. */
const LITTLE = { burst: 80, refillMs: NEVER };
const SMALL = "x".repeat(5_000);
const LARGE = "x".repeat(200_000);
let server: Server;
let served: number;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function listen(limits: Partial<AdmissionLimits>, proxy?: string): Promise<void> {
  served = 0;
  const app: HttpApp = new Hono();
  app.use(async (_context, next) => {
    served += 1;
    await next();
  });
  app.get("/", (context) => context.text("served"));
  app.post("/size", async (context) => context.text(String((await context.req.text()).length)));
  app.post("/upload", async (context) => {
    if (context.env.incoming !== undefined) exemptUpload(context.env.incoming);
    return context.text(String((await context.req.text()).length));
  });
  // A closed connection gets no response.
  app.onError((_fault, context) => context.body(null, 500));
  const proxies = parseProxies(proxy === undefined ? [] : [proxy]);
  const toKnownSource = (cookie: string | undefined): string | null => cookie ?? null;
  server = createHttpServer(app, {
    admission: openTestAdmission(limits, { time: makeTestTime(), toKnownSource, proxies }),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

const readPort = (): number => (server.address() as AddressInfo).port;

/** The answer's text; null if the connection was closed without one. */
function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = send({ port: readPort(), path, method: "POST", headers, agent: false }, async (response) => {
      let text = "";
      for await (const data of response) text += data;
      resolve(text);
    });
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}

const toPostText = (header: string): string => `POST /size HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`;
const CHUNKED = toPostText("Transfer-Encoding: chunked");

// [OPS-60 §- r16] A client that sends bytes or frames without end, of any kind, loses its own connection. Play and
// the other users of the same address go on, and no clock is credited for it.
test.each([
  ["empty lines", "", "\r\n"],
  ["requests after empty lines", "", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"],
  ["a body in small chunks", CHUNKED, "1\r\nx\r\n"],
  ["chunks with extensions", CHUNKED, "1;a=b\r\nx\r\n"],
  ["trailers", `${CHUNKED}0\r\n`, "A:b\r\n"],
  ["ends of heads as a body", toPostText("Content-Length: 1000000000"), "\r\n\r\n"],
  ["headers", "GET / HTTP/1.1\r\n", "A:b\r\n"],
  ["TLS records", "", "\x16\x03\x01\x00\x02\x01\x00"],
])("closes a connection that sends nothing but %s [OPS-60]", async (_what, opening, repeated) => {
  await listen({ perConnectionOfStranger: LITTLE });
  const socket = connect(readPort(), "127.0.0.1");
  socket.write(opening);
  await sendUntilClosed(socket, Buffer.from(repeated));
});

test("counts lines, not only bytes, and serves no request of a connection that cannot pay [OPS-60]", async () => {
  await listen({ perConnectionOfStranger: LITTLE });
  expect(await post("/size", "\n".repeat(SMALL.length))).toBeNull();
  served = 0;
  const socket = connect(readPort(), "127.0.0.1");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined).resume();
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(400));
  await closed;
  expect(served).toBe(0);
});

test("limits the bytes of each connection, of a session's more generously, and hurts no other one [OPS-60]", async () => {
  await listen({ perConnectionOfStranger: LITTLE });
  expect(await post("/size", LARGE)).toBeNull();
  expect(await post("/size", SMALL)).toBe(String(SMALL.length));
  expect(await post("/size", LARGE, { cookie: "a session" })).toBe(String(LARGE.length));
});

test("accepts an upload of any size once its handler allows it, and what a trusted proxy sends", async () => {
  await listen({ perConnectionOfStranger: LITTLE });
  const sent = send({ port: readPort(), path: "/upload", method: "POST", agent: false });
  const answered = once(sent, "response");
  sent.write("first");
  await once(server, "request");
  sent.end(LARGE);
  const [response] = await answered;
  expect(String(await response.toArray())).toBe(String(LARGE.length + 5));
  server.closeAllConnections();
  server.close();
  await listen({ perConnectionOfStranger: LITTLE }, "127.0.0.0/8");
  expect(await post("/size", LARGE)).toBe(String(LARGE.length));
});

async function open(): Promise<Socket> {
  const accepted = once(server, "connection");
  const socket = connect(readPort(), "127.0.0.1");
  socket.on("error", () => undefined);
  await accepted;
  return socket;
}

async function ask(socket: Socket, cookie = ""): Promise<string> {
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${cookie === "" ? "" : `Cookie: ${cookie}\r\n`}\r\n`);
  return String((await once(socket, "data"))[0]);
}

test.each([
  ["its address", { connectionsPerAddressMax: 2 }],
  ["all strangers", { strangersMax: 2 }],
])("drops the oldest stranger beyond the limit of %s, and none who is known [OPS-18]", async (_whose, limits) => {
  await listen(limits);
  const known = await open();
  expect(await ask(known, "ada")).toContain("served");
  const [first, second] = [await open(), await open()];
  const closed = new Promise((resolve) => first.once("close", resolve));
  const third = await open();
  await closed;
  for (const socket of [known, second, third]) expect(await ask(socket)).toContain("served");
  for (const socket of [known, second, third]) socket.destroy();
});

test("drops the oldest connection of a session that has too many", async () => {
  await listen({ connectionsPerKnownMax: 2 });
  const sockets = [await open(), await open(), await open()];
  const closed = new Promise((resolve) => sockets[0]!.once("close", resolve));
  for (const socket of sockets) expect(await ask(socket, "ada")).toContain("served");
  await closed;
  expect(sockets.slice(1).map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (const socket of sockets) socket.destroy();
});

test("limits no connections of a trusted proxy", async () => {
  await listen({ connectionsPerAddressMax: 1, strangersMax: 1 }, "127.0.0.0/8");
  const sockets = [await open(), await open()];
  for (const socket of sockets) expect(await ask(socket)).toContain("served");
  for (const socket of sockets) socket.destroy();
});
