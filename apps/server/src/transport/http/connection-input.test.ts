import { once } from "node:events";
import { type Server, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import type { FloodLimits } from "../flood-gate.ts";
import { sendUntilClosed } from "../testing/raw-connection.ts";
import { openTestGate } from "../testing/test-gate.ts";
import { makeVisitorQueue } from "../visitor-queue.ts";
import { parseProxies } from "./client-address.ts";
import { createHttpServer } from "./http-server.ts";
import { allowLong } from "./long-request.ts";
import type { HttpApp } from "./routes.ts";

const NEVER = 3_600_000;
const ALLOWED = 20_000;
const LARGE = "x".repeat(10 * ALLOWED);
let server: Server;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function listen(limits: Partial<FloodLimits> = {}, proxy?: string): Promise<void> {
  const app: HttpApp = new Hono();
  app.post("/size", async (context) => context.text(String((await context.req.text()).length)));
  app.post("/upload", async (context) => {
    if (context.env.incoming !== undefined) allowLong(context.env.incoming);
    return context.text(String((await context.req.text()).length));
  });
  // A closed connection gets no response.
  app.onError((_fault, context) => context.body(null, 500));
  const proxies = parseProxies(proxy === undefined ? [] : [proxy]);
  const toKnownSource = (cookie: string | undefined): string | null => cookie ?? null;
  const floodGate = openTestGate(limits, { time: makeTestTime(), toKnownSource, proxies });
  server = createHttpServer(app, { floods: { floodGate, visitors: makeVisitorQueue() }, proxies });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

const toPort = (): number => (server.address() as AddressInfo).port;

/** The answer's text; null if the connection was closed without one. */
function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = send({ port: toPort(), path, method: "POST", headers, agent: false }, async (response) => {
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
  await listen({ bytesPerSource: { burst: ALLOWED, refillMs: NEVER } });
  const socket = connect(toPort(), "127.0.0.1");
  socket.write(opening);
  await sendUntilClosed(socket, Buffer.from(repeated));
});

test("takes what a connection sends beyond a little from its source, and hurts no other one of its address [OPS-60]", async () => {
  await listen({ bytesPerSource: { burst: ALLOWED, refillMs: NEVER } });
  expect(await post("/size", LARGE)).toBeNull();
  // The visitors of the address have used up their allowance, but each connection has a little.
  expect(await post("/size", "small")).toBe("5");
  expect(await post("/size", "x".repeat(ALLOWED))).toBeNull();
  expect(await post("/size", "x".repeat(ALLOWED), { cookie: "a session" })).toBe(String(ALLOWED));
});

test("limits what all visitors send together, and no session", async () => {
  await listen({ bytesOfVisitors: { burst: ALLOWED, refillMs: NEVER } });
  expect(await post("/size", LARGE)).toBeNull();
  expect(await post("/size", LARGE, { cookie: "a session" })).toBe(String(LARGE.length));
});

test("accepts an upload of any size once its handler allows it, and what a trusted proxy sends", async () => {
  const bytesPerSource = { burst: ALLOWED, refillMs: NEVER };
  await listen({ bytesPerSource });
  const sent = send({ port: toPort(), path: "/upload", method: "POST", agent: false });
  const answered = once(sent, "response");
  sent.write("first");
  await once(server, "request");
  sent.end(LARGE);
  const [response] = await answered;
  expect(String(await response.toArray())).toBe(String(LARGE.length + 5));
  server.closeAllConnections();
  server.close();
  await listen({ bytesPerSource }, "127.0.0.0/8");
  expect(await post("/size", LARGE)).toBe(String(LARGE.length));
});

test("reads the bodies of visitors who had to wait for their turn", async () => {
  await listen();
  const bodies = Array.from({ length: 12 }, (_, index) => LARGE.slice(index));
  const answers = await Promise.all(bodies.map((body) => post("/size", body)));
  expect(answers).toEqual(bodies.map(({ length }) => String(length)));
});
