import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OpenAPIHono } from "@hono/zod-openapi";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { ORIGIN, openTestHttp, PASSWORD, type TestHttp } from "../testing/test-http.ts";
import type { HttpApp } from "./http-app.ts";
import { createHttpServer } from "./http-server.ts";
import { allowLong } from "./long-request.ts";

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

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** A chunked request without a content length. */
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
  const { rows } = await sql<{ ip_address: string }>`
    select ip_address from auth_sessions order by created_at desc limit 1`.execute(database.kysely);
  expect(rows).toEqual([{ ip_address: "127.0.0.1" }]);
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

test("disconnects a slow sender, unless the handler exempts it", async () => {
  const app: HttpApp = new OpenAPIHono();
  app.post("/slow", async (context) => context.text(await context.req.text()));
  app.post("/long", async (context) => {
    if (context.env.incoming !== undefined) allowLong(context.env.incoming);
    return context.text(await context.req.text());
  });
  // A closed connection gets no response.
  app.onError((_fault, context) => context.body(null, 500));
  const hurried = createHttpServer(app, 100);
  await new Promise<void>((resolve) => hurried.listen(0, "127.0.0.1", resolve));
  const { port } = hurried.address() as AddressInfo;
  const answer = (path: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const sent = request({ port, path, method: "POST", agent: false, headers: { "content-length": "2" } });
      sent.on("error", () => resolve(undefined));
      sent.on("response", (response) => response.on("data", (data) => resolve(String(data))));
      sent.write("o");
      setTimeout(() => sent.end("k"), 500);
    });
  expect(await Promise.all([answer("/slow"), answer("/long")])).toEqual([undefined, "ok"]);
  await new Promise((resolve) => hurried.close(resolve));
});

test("disconnects slow headers", () => {
  expect(createHttpServer(new OpenAPIHono()).headersTimeout).toBe(10_000);
});

test("does not log an aborted request as a fault", async () => {
  const countFaults = async (): Promise<string | undefined> =>
    /^holo_http_faults_total (\d+)$/m.exec(await (await http.app.request("/metrics")).text())?.[1];
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
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await countFaults()).toBe(before);
});
