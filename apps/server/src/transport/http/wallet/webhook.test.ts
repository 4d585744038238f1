import { createHmac } from "node:crypto";
import { once } from "node:events";
import { request as ask, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type PlayerId, toCommandId } from "@holo/kernel/ids.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadWallet } from "../../../ledger/ledger.ts";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { openTestHttp, PROVIDER_KEY, type TestHttp } from "../../testing/test-http.ts";
import { createHttpServer } from "../http-server.ts";

const PATH = "/api/paystack/webhook";
const OPENING = 5_000_000_000n;

let database: Database;
let http: TestHttp;
let server: Server;
let origin: string;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  server = createHttpServer(http.app).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await http.close();
  await database.close();
});

const sign = (body: string, key = PROVIDER_KEY): string => createHmac("sha512", key).update(body).digest("hex");

/** As the provider sends it, without origin and cookie. */
async function post(body: string, signature: string | null = sign(body)): Promise<number> {
  const answer = await fetch(`${origin}${PATH}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(signature === null ? {} : { "x-paystack-signature": signature }),
    },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** A pending deposit and its webhook's body, with an id above 2^53 and unusual whitespace. */
async function begin(): Promise<{ readonly playerId: PlayerId; readonly reference: string; readonly body: string }> {
  const { id } = await http.addPlayer();
  const playerId = id;
  await http.payments.begin({
    playerId,
    email: "ada@example.com",
    commandId: toCommandId("webhooks-1"),
    kobo: 500_000,
    payKobo: 500_000,
    rateKobo: 30_600,
  });
  const { rows } = await sql<{ reference: string }>`select reference from payments where player_id = ${id}`.execute(
    database.kysely,
  );
  const { reference } = rows[0]!;
  const data = `"id":9007199254740993,"reference":"${reference}","status":"success","amount":500000,"requested_amount":500000`;
  return { playerId, reference, body: `{"event": "charge.success","data":{${data},"currency":"NGN","fees":null}}` };
}

async function read(playerId: PlayerId) {
  const { rows } = await sql<{ count: number }>`
    select sum(questions)::int as count from payments`.execute(database.kysely);
  return { balance: (await loadWallet(database.kysely, playerId))?.balance, questions: rows[0]!.count };
}

test("commits the question that a signed webhook causes before acknowledging it, and credits nothing by it (ruling 59)", async () => {
  const { playerId, body } = await begin();
  const { questions } = await read(playerId);
  expect(await post(body)).toBe(200);
  expect(await read(playerId)).toEqual({ balance: OPENING, questions: questions + 1 });
  const again = await Promise.all(Array.from({ length: 10 }, () => post(body)));
  expect(new Set(again)).toEqual(new Set([200]));
  expect(await read(playerId)).toEqual({ balance: OPENING, questions: questions + 11 });
});

test("refuses a wrong signature and stores nothing", async () => {
  const { playerId, body } = await begin();
  const before = await read(playerId);
  const refused: readonly (readonly [string, string | null])[] = [
    [body, null],
    [body, ""],
    [body, "x".repeat(128)],
    [body, sign(body).slice(0, 126)],
    [body, `${sign(body)}00`],
    [body, sign(body, "sk_test_of_somebody_else")],
    [body, createHmac("sha256", PROVIDER_KEY).update(body).digest("hex").padEnd(128, "0")],
    [JSON.stringify(JSON.parse(body)), sign(body)],
    [body.replace("500000", "500001"), sign(body)],
    [`${body} `, sign(body)],
    [body.slice(1), sign(body)],
  ];
  for (const [sent, signature] of refused) expect(await post(sent, signature), `${signature} ${sent}`).toBe(401);
  expect(await read(playerId)).toEqual(before);
});

test("refuses a signed body that it cannot parse, and asks nothing about an unknown payment", async () => {
  const { playerId, body } = await begin();
  const before = await read(playerId);
  for (const sent of [
    "",
    "null",
    "[]",
    "{",
    '{"event":"charge.success"}',
    '{"event":7,"data":{}}',
    '{"data":{"reference":"x"}}',
  ]) {
    expect(await post(sent)).toBe(400);
  }
  expect(await read(playerId)).toEqual(before);
  expect(await post(body.replace(/dep-[0-9a-f-]+/, "dep-of-nobody-at-all"))).toBe(200);
  expect(await post(body.replace("charge.success", "customeridentification.success"))).toBe(200);
  expect(await read(playerId)).toEqual(before);
});

test("refuses a megabyte by its content length, before it is sent", async () => {
  const asked = ask(`${origin}${PATH}`, {
    method: "POST",
    headers: { "content-length": 1_000_000, "x-paystack-signature": "0".repeat(128) },
  });
  asked.on("error", () => undefined);
  asked.flushHeaders();
  const [answer] = (await once(asked, "response")) as [{ readonly statusCode: number }];
  expect(answer.statusCode).toBe(413);
  asked.destroy();
});

test("stops reading a body without a length at the limit", async () => {
  const asked = ask(`${origin}${PATH}`, { method: "POST", headers: { "transfer-encoding": "chunked" } });
  asked.on("error", () => undefined);
  const answered = once(asked, "response") as Promise<[{ readonly statusCode: number }]>;
  for (let sent = 0; sent < 80; sent += 1) asked.write("x".repeat(1024));
  expect((await answered)[0].statusCode).toBe(413);
  asked.destroy();
});

test("does not acknowledge what was not committed", async () => {
  const { playerId, body } = await begin();
  const { questions } = await read(playerId);
  await sql`alter table payments add constraint broken check (questions = 0) not valid`.execute(database.kysely);
  expect(await post(body)).toBe(500);
  expect((await read(playerId)).questions).toBe(questions);
  await sql`alter table payments drop constraint broken`.execute(database.kysely);
  expect(await post(body)).toBe(200);
  expect((await read(playerId)).questions).toBe(questions + 1);
});

test("answers no method but POST", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const answer = await fetch(`${origin}${PATH}`, { method, headers: { origin: "http://arena.test" } });
    expect(answer.status).toBe(404);
  }
});
