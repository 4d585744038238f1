import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openLog } from "../../platform/log.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { openPaystack, type Paystack } from "./paystack.ts";

let next: { status: number; body: string };
let asked: { method: string; url: string; authorization: string | undefined; body: string };
let lines: string;
let server: Server;
let paystack: Paystack;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    asked = { method, url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() };
    response.writeHead(next.status, { "content-type": "application/json" }).end(next.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines += String(chunk);
      done();
    },
  });
  paystack = openPaystack({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey: "sk_test_secret",
    log: openLog("debug", destination),
    metrics: openMetrics({ process: false }),
  });
});
beforeEach(() => {
  lines = "";
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const charge = (change: object = {}): string =>
  JSON.stringify({
    status: true,
    data: { id: 1, reference: "dep-1", status: "success", amount: 500_000, currency: "NGN", metadata: "", ...change },
  });

test("keeps all digits of a 64-bit id", async () => {
  next = { status: 200, body: charge().replace('"id":1', '"id":18446744073709551615') };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ ok: true, value: { id: "18446744073709551615" } });
});

test.each([
  ["a number", 500_000],
  ["digits", "500000"],
])("parses an amount from %s", async (_what, amount) => {
  next = { status: 200, body: charge({ amount }) };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ ok: true, value: { amount: 500_000n } });
});

test.each<[string, number, string]>([
  ["a status that is a text", 200, charge().replace("true", '"true"')],
  ["a success without data", 200, '{"status":true}'],
  ["a fraction of a kobo", 200, charge({ amount: 500_000.5 })],
  ["an amount with an exponent", 200, charge({ amount: "5e5" })],
  ["no currency", 200, charge({ currency: null })],
  ["another reference than was asked for", 200, charge({ reference: "dep-2" })],
  ["no JSON", 200, "<html>"],
  ["nothing", 200, ""],
  ["a list", 200, "[]"],
  ["its own failure", 500, '{"status":false,"message":"Transaction reference not found"}'],
  ["a proxy's failure", 502, "<html>"],
  ["a proxy's page for what is not there", 404, "<html>not found</html>"],
  ["another service's refusal", 404, '{"error":"Transaction reference not found"}'],
  ["a refusal that calls itself a success", 400, '{"status":true,"message":"Transaction reference not found"}'],
])("treats %s as an unknown outcome", async (_what, status, body) => {
  next = { status, body };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ ok: false, refusal: { type: "unknown" } });
});

test("reads a status nobody has heard of as such, so that one payment goes to staff", async () => {
  next = { status: 200, body: charge({ status: "fine" }) };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ ok: true, value: { status: "unknown" } });
});

test("reports a refusal with its code, also with a textual status, and rate limiting apart", async () => {
  next = { status: 400, body: '{"status":"false","message":"No","code":"invalid_params"}' };
  expect(await paystack.verifyCharge("dep-1")).toEqual({
    ok: false,
    refusal: { type: "refused", httpStatus: 400, code: "invalid_params", message: "No" },
  });
  next = { status: 429, body: '{"status":false,"message":"No"}' };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ refusal: { type: "rate_limited" } });
  next = { status: 400, body: '{"status":false,"code":"rate_limited"}' };
  expect(await paystack.verifyCharge("dep-1")).toMatchObject({ refusal: { type: "rate_limited" } });
});

test('believes "not found" only from the provider and about the requested payment', async () => {
  next = { status: 400, body: '{"status":false,"message":"Transaction reference not found."}' };
  expect(await paystack.verifyCharge("dep-1")).toEqual({ ok: true, value: null });
  expect(await paystack.verifyTransfer("wdr-1")).toMatchObject({ refusal: { type: "refused" } });
  next = { status: 404, body: '{"status":false,"message":"Transfer not found"}' };
  expect(await paystack.verifyTransfer("wdr-1")).toEqual({ ok: true, value: null });
  next = { status: 404, body: '{"status":false,"message":"Not found"}' };
  expect(await paystack.verifyTransfer("wdr-1")).toMatchObject({ refusal: { type: "refused" } });
});

test("refuses a recipient of another account and a checkout without a web address", async () => {
  const details = { account_number: "0123456789", bank_code: "058" };
  next = { status: 201, body: JSON.stringify({ status: true, data: { recipient_code: "RCP_1", details } }) };
  const account = { accountName: "ADA", accountNumber: "0123456789", bankCode: "057" };
  expect(await paystack.createRecipient(account)).toMatchObject({ refusal: { type: "unknown" } });
  expect((await paystack.createRecipient({ ...account, bankCode: "058" })).ok).toBe(true);
  const order = {
    kobo: 500_000n,
    email: "ada@example.com",
    reference: "dep-1",
    callbackUrl: "https://arena.test/wallet",
  };
  const data = { authorization_url: "javascript:alert(1)", reference: "dep-1" };
  next = { status: 200, body: JSON.stringify({ status: true, data }) };
  expect(await paystack.initialize(order)).toMatchObject({ refusal: { type: "unknown" } });
});

test("sends orders as the provider documents them", async () => {
  next = { status: 500, body: "" };
  await paystack.transfer({ kobo: 500_000n, recipientCode: "RCP_1", reference: "wdr-1", reason: "x" });
  expect(asked).toMatchObject({ method: "POST", url: "/transfer", authorization: "Bearer sk_test_secret" });
  expect(JSON.parse(asked.body)).toEqual({
    source: "balance",
    amount: 500_000,
    recipient: "RCP_1",
    reference: "wdr-1",
    reason: "x",
  });
});

test("logs no keys, accounts or messages of the provider", async () => {
  next = { status: 422, body: '{"status":false,"message":"0123456789 of ADA OBI is closed","code":"closed"}' };
  await paystack.resolveAccount("0123456789", "057");
  expect(lines).toContain('"code":"closed"');
  expect(lines).not.toMatch(/0123456789|ADA|sk_test/);
});

test("gives up a call without an answer and treats its outcome as unknown", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const impatient = openPaystack({
    url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    secretKey: "sk_test_x",
    log: openLog("silent"),
    metrics: openMetrics({ process: false }),
    timeoutMs: 20,
  });
  expect(await impatient.loadBalance()).toEqual({ ok: false, refusal: { type: "unknown", why: "TimeoutError" } });
  silent.close();
  silent.closeAllConnections();
});

test("treats a missing provider as an unknown outcome", async () => {
  const nobody = openPaystack({
    url: "http://127.0.0.1:9",
    secretKey: "sk_test_x",
    log: openLog("silent"),
    metrics: openMetrics({ process: false }),
  });
  expect(await nobody.loadBalance()).toMatchObject({ ok: false, refusal: { type: "unknown" } });
});
