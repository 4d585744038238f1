import { createHmac } from "node:crypto";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FaultOrder } from "../faults/faults.ts";
import type { Delivery } from "../state/state.ts";
import { openTestSandbox, type Received, TEST_KEY, type TestSandbox } from "../testing/test-sandbox.ts";

const MINUTE_MS = 60_000;

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
  await sandbox.control.setClock({ at: "2030-01-01T00:00:00Z", frozen: true });
});
afterEach(() => sandbox.close());

const isTrue = ({ body, signature }: Received): boolean =>
  signature === createHmac("sha512", TEST_KEY).update(body).digest("hex");

async function pay(reference: string): Promise<void> {
  await sandbox.initialize(reference);
  await sandbox.control.decideCharge(reference, "success");
}

const order = (fault: Omit<FaultOrder, "on">): Promise<number> => sandbox.control.order({ on: "webhook", ...fault });
const received = (): readonly Received[] => sandbox.receiver.received;
const references = (): readonly unknown[] => received().map(({ data }) => data.reference);
const webhooks = async (): Promise<readonly Delivery[]> => (await sandbox.control.state()).webhooks;

describe("a webhook", () => {
  it("is signed over its raw bytes and has the whole id of its charge", async () => {
    await pay("holo-1");
    await sandbox.control.settle();
    expect(received()).toHaveLength(1);
    const [webhook] = received();
    expect(webhook).toMatchObject({
      event: "charge.success",
      data: { reference: "holo-1", status: "success", amount: 500_000, currency: "NGN", fees: 17_500 },
    });
    expect(webhook!.body.startsWith('{"event":"charge.success","data":{')).toBe(true);
    expect(isTrue(webhook!)).toBe(true);
    expect(webhook!.data.id).toBe((await sandbox.verify("holo-1")).id);
  });

  it("is sent for a success only", async () => {
    await sandbox.initialize("holo-1");
    for (const status of ["ongoing", "failed", "abandoned", "pending"]) {
      await sandbox.control.decideCharge("holo-1", status);
    }
    await sandbox.control.settle();
    expect(received()).toEqual([]);
  });

  it("is retried until it is answered 200, as in the live plan", async () => {
    sandbox.receiver.answers.push(500, 301, 202, 404, 500, 500, 200);
    await pay("holo-1");
    await sandbox.control.advance(100 * HOUR_MS);
    const [webhook] = await webhooks();
    const start = Date.parse("2030-01-01T00:00:00Z");
    expect(webhook?.status).toBe("delivered");
    expect(webhook?.attempts.map(({ at, answer }) => [(at - start) / MINUTE_MS, answer])).toEqual([
      [0, 500],
      [3, 301],
      [6, 202],
      [9, 404],
      [12, 500],
      [72, 500],
      [132, 200],
    ]);
    expect(new Set(received().map(({ body }) => body)).size).toBe(1);
  });

  it("is given up after 72 hours, or ten in the test plan", async () => {
    await sandbox.control.change({ webhookUrl: null });
    await pay("holo-1");
    await sandbox.control.advance(73 * HOUR_MS);
    await sandbox.control.change({ retryPlan: "test" });
    await pay("holo-2");
    await sandbox.control.advance(11 * HOUR_MS);
    const all = await webhooks();
    expect(all.map(({ status, attempts }) => [status, attempts.length])).toEqual([
      ["given_up", 77],
      ["given_up", 11],
    ]);
  });

  it("is retried sooner in a scaled plan", async () => {
    await sandbox.control.change({ retryScale: 1 / 180 });
    sandbox.receiver.answers.push(500, 500);
    await pay("holo-1");
    await sandbox.control.advance(2_000);
    expect(received()).toHaveLength(3);
  });

  it("waits for an answer up to its time limit", async () => {
    await sandbox.control.change({ webhookTimeoutMs: 30 });
    sandbox.receiver.answers.push(0);
    await pay("holo-1");
    await sandbox.control.settle();
    expect((await webhooks())[0]).toMatchObject({ status: "waiting", attempts: [{ answer: "TimeoutError" }] });
  });

  it("survives a receiver that is gone", async () => {
    await sandbox.receiver.close();
    await pay("holo-1");
    await sandbox.control.settle();
    expect((await webhooks())[0]).toMatchObject({ status: "waiting", attempts: [{ answer: "TypeError" }] });
  });

  it("can be sent again and customized", async () => {
    await pay("holo-1");
    await sandbox.control.settle();
    const [webhook] = await webhooks();
    expect(await sandbox.control.replay(webhook!.id)).toBe(200);
    expect(received().map(({ body }) => body)).toEqual([webhook!.body, webhook!.body]);
    sandbox.receiver.answers.push(401);
    const forged = { event: "charge.success", data: { reference: "holo-9" }, signature: "00" };
    expect(await sandbox.control.sendWebhook(forged)).toBe(401);
    expect(received().at(-1)).toMatchObject({
      signature: "00",
      body: '{"event":"charge.success","data":{"reference":"holo-9"}}',
    });
    await sandbox.control.sendWebhook({ body: '{"event":1}' });
    expect(isTrue(received().at(-1)!)).toBe(true);
  });
});

describe("a webhook fault", () => {
  it("lost: it never arrives, and everything else is as usual", async () => {
    await order({ fault: "lost" });
    await pay("holo-1");
    await sandbox.control.advance(100 * HOUR_MS);
    expect(received()).toEqual([]);
    expect((await webhooks())[0]?.status).toBe("lost");
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
  });

  it("late: it arrives after its delay", async () => {
    await order({ fault: "late", delayMs: 72 * HOUR_MS });
    await pay("holo-1");
    await sandbox.control.advance(72 * HOUR_MS - 1);
    expect(received()).toEqual([]);
    await sandbox.control.advance(1);
    expect(references()).toEqual(["holo-1"]);
  });

  it("doubled: it arrives as often as ordered", async () => {
    await order({ fault: "doubled", copies: 10 });
    await pay("holo-1");
    await sandbox.control.settle();
    expect(received()).toHaveLength(10);
    expect(received().every(isTrue)).toBe(true);
  });

  it("shuffled: the last arrives first", async () => {
    await order({ fault: "shuffled", times: 3 });
    for (const reference of ["holo-1", "holo-2", "holo-3", "holo-4"]) {
      await pay(reference);
      await sandbox.control.settle();
    }
    expect(references()).toEqual(["holo-3", "holo-2", "holo-1", "holo-4"]);
  });

  it("shuffled: held webhooks can be released", async () => {
    await order({ fault: "shuffled", times: null });
    await pay("holo-1");
    await pay("holo-2");
    await sandbox.control.settle();
    expect(references()).toEqual([]);
    await sandbox.control.release();
    await sandbox.control.settle();
    expect(references()).toEqual(["holo-2", "holo-1"]);
  });

  it.each(["forged", "altered", "unsigned", "reserialized"] as const)(
    "%s: the signature does not match the bytes, and the right one follows a refusal",
    async (fault) => {
      await order({ fault });
      sandbox.receiver.answers.push(401);
      await pay("holo-1");
      await sandbox.control.advance(3 * MINUTE_MS);
      expect(received().map(isTrue)).toEqual([false, true]);
      const [wrong, right] = received();
      expect(wrong!.body === right!.body).toBe(fault === "forged" || fault === "unsigned");
      expect(wrong!.signature === right!.signature).toBe(fault === "altered" || fault === "reserialized");
      expect((await webhooks())[0]?.attempts[0]?.fault).toBe(fault);
    },
  );

  it("reserialized: its meaning is unchanged", async () => {
    await order({ fault: "reserialized" });
    await pay("holo-1");
    await sandbox.control.settle();
    const [webhook] = await webhooks();
    expect(JSON.parse(received()[0]!.body)).toEqual(JSON.parse(webhook!.body));
  });

  it("unacknowledged: its acknowledgement is lost, so it arrives again", async () => {
    await order({ fault: "unacknowledged" });
    await pay("holo-1");
    await sandbox.control.advance(3 * MINUTE_MS);
    expect(received()).toHaveLength(2);
  });

  it.each([
    ["wrong_amount", { amount: 499_900, requested_amount: 499_900 }],
    ["wrong_currency", { currency: "USD" }],
    ["wrong_reference", { reference: "holo-1-x" }],
    ["wrong_status", { status: "failed" }],
  ] as const)("%s: it is signed and untrue", async (fault, reported) => {
    await order({ fault });
    await pay("holo-1");
    await sandbox.control.settle();
    const [webhook] = received();
    expect(webhook?.data).toMatchObject(reported);
    expect(isTrue(webhook!)).toBe(true);
    expect(typeof webhook?.data.id).toBe("bigint");
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success", amount: 500_000, currency: "NGN" });
  });

  it("can be limited to an event or a reference", async () => {
    await order({ fault: "lost", event: "transfer.success" });
    await order({ fault: "lost", reference: "holo-2" });
    await pay("holo-1");
    await pay("holo-2");
    await sandbox.transfer("holo-withdrawal-0001");
    await sandbox.control.settle();
    expect(references()).toEqual(["holo-1"]);
  });
});
