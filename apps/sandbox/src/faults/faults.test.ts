import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestSandbox, TEST_KEY, type TestSandbox } from "../testing/test-sandbox.ts";
import { FAULT_NAMES, type FaultOrder, OPERATIONS, type Operation } from "./faults.ts";

const REFERENCE = "holo-reference-0001";
const HOLD_MS = 80;

let sandbox: TestSandbox;
let recipient = "";
beforeEach(async () => {
  sandbox = await openTestSandbox({ settings: { holdMs: HOLD_MS } });
  const { data } = await sandbox.post("/transferrecipient", {
    type: "nuban",
    name: "Ada",
    account_number: "0123456789",
    bank_code: "057",
  });
  recipient = String(data.recipient_code);
});
afterEach(() => sandbox.close());

const CALLS: { readonly [Name in Operation]: readonly [method: string, path: string, body?: () => object] } = {
  initialize: [
    "POST",
    "/transaction/initialize",
    () => ({ email: "ada@example.com", amount: "500000", reference: REFERENCE }),
  ],
  verify: ["GET", `/transaction/verify/${REFERENCE}`],
  list_transactions: ["GET", "/transaction"],
  list_banks: ["GET", "/bank"],
  resolve: ["GET", "/bank/resolve?account_number=0123456789&bank_code=057"],
  create_recipient: [
    "POST",
    "/transferrecipient",
    () => ({ type: "nuban", name: "Bola", account_number: "0123456780", bank_code: "058" }),
  ],
  transfer: ["POST", "/transfer", () => ({ source: "balance", amount: 500_000, recipient, reference: REFERENCE })],
  verify_transfer: ["GET", `/transfer/verify/${REFERENCE}`],
  list_transfers: ["GET", "/transfer"],
  balance: ["GET", "/balance"],
  refund: ["POST", "/refund", () => ({ transaction: REFERENCE })],
  fetch_refund: ["GET", "/refund/1"],
  list_refunds: ["GET", "/refund"],
  list_disputes: ["GET", "/dispute"],
  dispute_evidence: ["POST", "/dispute/1/evidence", () => ({})],
  resolve_dispute: ["PUT", "/dispute/1/resolve", () => ({})],
};

async function call(operation: Operation): Promise<Response> {
  const [method, path, body] = CALLS[operation];
  return await fetch(sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body()) }),
  });
}

async function seen(operation: Operation): Promise<{ status: number | null; json: Record<string, unknown> | null }> {
  const response = await call(operation).catch(() => null);
  const text = (await response?.text()) ?? "";
  try {
    return { status: response?.status ?? null, json: JSON.parse(text) };
  } catch {
    return { status: response?.status ?? null, json: null };
  }
}

const order = (fault: FaultOrder): Promise<number> => sandbox.control.order(fault);
const charges = async (): Promise<number> => (await sandbox.control.state()).transactions.length;
const transfers = async (): Promise<number> => (await sandbox.control.state()).transfers.length;

describe("a fault before acting", () => {
  it.each([
    ["timeout", null],
    ["reset", null],
    ["500", 500],
    ["502", 502],
    ["429", 429],
    ["unauthorized", 401],
    ["not_found", 400],
    ["duplicate_reference", 400],
    ["insufficient_balance", 400],
  ] as const)("%s has no effect, and the same call succeeds afterwards", async (fault, status) => {
    await order({ on: "initialize", fault });
    expect((await seen("initialize")).status).toBe(status);
    expect(await charges()).toBe(0);
    expect((await seen("initialize")).status).toBe(200);

    await order({ on: "transfer", fault });
    await call("transfer").catch(() => null);
    expect(await transfers()).toBe(0);
    expect((await seen("transfer")).status).toBe(200);
    expect((await sandbox.control.state()).calls.map(({ fault: name }) => name)).toEqual([
      null,
      fault,
      null,
      fault,
      null,
    ]);
  });

  it("reports an existing transfer as not found", async () => {
    await call("transfer");
    await order({ on: "verify_transfer", fault: "not_found" });
    expect(await seen("verify_transfer")).toEqual({
      status: 404,
      json: { status: false, message: "Transfer not found" },
    });
    expect((await seen("verify_transfer")).status).toBe(200);
  });

  it("uses the provider's names", async () => {
    await order({ on: "balance", fault: "429" });
    expect((await seen("balance")).json).toMatchObject({ code: "rate_limited" });
    await order({ on: "transfer", fault: "duplicate_reference" });
    expect((await seen("transfer")).json).toMatchObject({ code: "duplicate_transfer_reference" });
    await order({ on: "transfer", fault: "insufficient_balance" });
    expect((await seen("transfer")).json).toMatchObject({
      message: "Your balance is not enough to fulfil this request",
    });
  });
});

describe("a fault after acting", () => {
  it.each([
    ["timeout_after_acceptance", null],
    ["reset_after_acceptance", null],
    ["500_after_acceptance", 500],
    ["malformed", 200],
    ["empty", 200],
    ["html", 200],
  ] as const)("%s hides that the reference is used", async (fault, status) => {
    await order({ on: "initialize", fault });
    expect(await seen("initialize")).toEqual({ status, json: status === 500 ? expect.anything() : null });
    expect(await charges()).toBe(1);
    expect((await seen("initialize")).json).toMatchObject({ code: "duplicate_reference" });

    await order({ on: "transfer", fault });
    await call("transfer").catch(() => null);
    expect(await transfers()).toBe(1);
    expect((await seen("transfer")).json).toMatchObject({ code: "duplicate_transfer_reference" });
  });

  it("answers 200 with a textual status", async () => {
    await order({ on: "transfer", fault: "status_as_text" });
    expect(await seen("transfer")).toMatchObject({ status: 200, json: { status: "false" } });
    expect(await transfers()).toBe(1);
  });

  it("delays the answer while the call takes effect", async () => {
    // The first delay outlasts the test: closing the sandbox ends that call.
    await order({ on: "transfer", fault: "slow", delayMs: 600_000 });
    const answered: unknown[] = [];
    void seen("transfer").then((answer) => answered.push(answer));
    await expect.poll(transfers).toBe(1);
    expect(answered).toEqual([]);
    await order({ on: "verify_transfer", fault: "slow", delayMs: 1 });
    expect((await seen("verify_transfer")).json?.status).toBe(true);
  });
});

describe("a distorted answer", () => {
  beforeEach(async () => {
    await call("initialize");
    await call("transfer");
    await sandbox.control.settle();
  });

  it.each(["verify", "verify_transfer", "list_transactions", "list_transfers"] as const)(
    "is sent by %s once and leaves the state alone",
    async (on) => {
      const truth = (await seen(on)).json;
      const reported = async (): Promise<unknown> => {
        const data = (await seen(on)).json?.data;
        return Array.isArray(data) ? data[0] : data;
      };
      await order({ on, fault: "wrong_amount" });
      expect(await reported()).toMatchObject({ amount: 499_900 });
      await order({ on, fault: "wrong_amount", amount: 1 });
      expect(await reported()).toMatchObject({ amount: 1 });
      await order({ on, fault: "wrong_currency" });
      expect(await reported()).toMatchObject({ currency: "USD" });
      await order({ on, fault: "wrong_currency", currency: "GHS" });
      expect(await reported()).toMatchObject({ currency: "GHS" });
      await order({ on, fault: "wrong_reference" });
      expect(await reported()).toMatchObject({ reference: `${REFERENCE}-x` });
      await order({ on, fault: "wrong_status", status: "nonsense" });
      expect(await reported()).toMatchObject({ status: "nonsense" });
      expect((await seen(on)).json).toEqual(truth);
    },
  );

  it("changes the requested amount together with the amount", async () => {
    await order({ on: "verify", fault: "wrong_amount" });
    expect((await seen("verify")).json).toMatchObject({ data: { amount: 499_900, requested_amount: 499_900 } });
  });
});

describe("an order", () => {
  it.each(OPERATIONS)("reaches %s", async (on) => {
    await order({ on, fault: "502" });
    expect((await seen(on)).status).toBe(502);
    expect((await seen(on)).status).not.toBe(502);
  });

  it("for any call reaches the next one", async () => {
    await order({ on: "any", fault: "500", times: 2 });
    expect((await seen("balance")).status).toBe(500);
    expect((await seen("list_banks")).status).toBe(500);
    expect((await seen("balance")).status).toBe(200);
  });

  it("happens as often as ordered, or until it is cancelled", async () => {
    await order({ on: "balance", fault: "500", times: 2 });
    const lasting = await order({ on: "list_banks", fault: "500", times: null });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await seen("balance")).status, (await seen("list_banks")).status);
    expect(statuses).toEqual([500, 500, 500, 500, 200, 500]);
    await order({ on: "balance", fault: "500" });
    const left = await fetch(`${sandbox.url}/_sandbox/faults/${lasting}`, { method: "DELETE" });
    expect((await left.json()).data).toMatchObject([{ on: "balance" }]);
    expect((await seen("list_banks")).status).toBe(200);
    await sandbox.control.clearFaults();
    expect((await seen("balance")).status).toBe(200);
  });

  it("for a reference leaves the others alone", async () => {
    await order({ on: "verify", fault: "500", reference: REFERENCE });
    await sandbox.initialize("holo-other");
    await call("initialize");
    expect(await sandbox.verify("holo-other")).toMatchObject({ reference: "holo-other" });
    expect((await seen("verify")).status).toBe(500);
    await order({ on: "transfer", fault: "500", reference: REFERENCE });
    expect((await seen("transfer")).status).toBe(500);
  });

  it.each([
    [{ on: "nowhere", fault: "500" }, "on must be one of"],
    [{ on: "balance", fault: "shuffled" }, "the faults of balance are"],
    [{ on: "balance", fault: "500", times: 0 }, "times"],
    [{ on: "balance", fault: "500", every: 2 }, "every"],
  ])("is refused as %j", async (fault, sentence) => {
    await expect(order(fault as unknown as FaultOrder)).rejects.toThrow(sentence);
  });

  it("can be looked up with all its options", async () => {
    const response = await fetch(`${sandbox.url}/_sandbox/faults`);
    expect((await response.json()).data).toEqual({ waiting: [], names: FAULT_NAMES });
  });
});

describe("the rate limit", () => {
  it("counts the calls of a minute where the settings set it", async () => {
    await sandbox.control.setClock({ frozen: true });
    await sandbox.control.advance(60_000);
    await sandbox.control.change({ callsPerMinuteMax: 2 });
    expect([(await seen("balance")).status, (await seen("balance")).status, (await seen("balance")).status]).toEqual([
      200, 200, 429,
    ]);
    await sandbox.control.advance(60_000);
    expect((await seen("balance")).status).toBe(200);
  });
});
