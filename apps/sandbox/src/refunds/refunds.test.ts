import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const BALANCE = 1_000_000_000;
const AFTER_CHARGE = BALANCE + 500_000 - 17_500;

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
  await sandbox.initialize("holo-1");
  await sandbox.control.decideCharge("holo-1", "success");
  await sandbox.control.settle();
  sandbox.receiver.received.length = 0;
});
afterEach(() => sandbox.close());

const balance = async (): Promise<number> => (await sandbox.control.state()).balance;
const events = (): readonly string[] => sandbox.receiver.received.map(({ event }) => event);

describe("a refund", () => {
  it("is queued, processed, and reverses the charge", async () => {
    expect(await balance()).toBe(AFTER_CHARGE);
    const { status, body, data } = await sandbox.post("/refund", { transaction: "holo-1", merchant_note: "held" });
    expect(status).toBe(200);
    expect(body.message).toBe("Refund has been queued for processing");
    expect(data).toMatchObject({
      status: "pending",
      amount: 500_000,
      merchant_note: "held",
      transaction: { reference: "holo-1" },
    });
    await sandbox.control.settle();
    expect(events()).toEqual(["refund.pending", "refund.processing", "refund.processed"]);
    expect(sandbox.receiver.received.map(({ data: reported }) => reported)).toMatchObject([
      { transaction_reference: "holo-1", amount: "500000", refund_reference: null },
      { status: "processing" },
      { status: "processed", refund_reference: expect.any(String) },
    ]);
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "reversed" });
    expect(await balance()).toBe(AFTER_CHARGE - 500_000);
    expect((await sandbox.get(`/refund/${data.id}`)).data).toMatchObject({ status: "processed" });
    expect((await sandbox.get("/refund?reference=holo-1")).body.data).toHaveLength(1);
    const { id } = await sandbox.verify("holo-1");
    expect((await sandbox.get(`/refund?transaction=${id}`)).body.data).toHaveLength(1);
    expect((await sandbox.get("/refund?transaction=7")).body.data).toHaveLength(0);
    expect((await sandbox.post("/refund", { transaction: "holo-1" })).body.message).toBe(
      "Transaction has been fully reversed",
    );
  });

  it("of a part leaves the charge a success until the rest is refunded, by reference or id", async () => {
    const { id } = await sandbox.verify("holo-1");
    await sandbox.post("/refund", { transaction: "holo-1", amount: 200_000 });
    await sandbox.control.settle();
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
    const tooMuch = await sandbox.post("/refund", { transaction: "holo-1", amount: 300_001 });
    expect(tooMuch.body.message).toBe("Refund amount cannot be more than transaction amount");
    await sandbox.post("/refund", { transaction: id as bigint, amount: "300000" });
    await sandbox.control.settle();
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "reversed" });
  });

  it("returns the money where it fails, and reports its amount as a number", async () => {
    await sandbox.control.order({ on: "refund_outcome", fault: "failed" });
    await sandbox.post("/refund", { transaction: "holo-1" });
    await sandbox.control.settle();
    expect(events()).toEqual(["refund.pending", "refund.processing", "refund.failed"]);
    expect(sandbox.receiver.received.at(-1)?.data.amount).toBe(500_000);
    expect(await balance()).toBe(AFTER_CHARGE);
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
  });

  it("stays pending until it is settled", async () => {
    await sandbox.control.order({ on: "refund_outcome", fault: "pending" });
    const { data } = await sandbox.post("/refund", { transaction: "holo-1" });
    await sandbox.control.advance(3_600_000);
    expect(events()).toEqual(["refund.pending"]);
    await sandbox.control.decideRefund(data.id as bigint, "processed");
    await sandbox.control.settle();
    expect(events()).toEqual(["refund.pending", "refund.processed"]);
  });

  it("is refused for an unpaid charge and for a low balance", async () => {
    await sandbox.initialize("holo-2");
    expect((await sandbox.post("/refund", { transaction: "holo-2" })).status).toBe(404);
    expect((await sandbox.get("/refund/7")).status).toBe(404);
    await sandbox.control.setBalance(499_999);
    expect((await sandbox.post("/refund", { transaction: "holo-1" })).body.message).toBe(
      "Insufficient balance to fulfill this refund. Please top up.",
    );
  });
});

describe("a paid charge", () => {
  it("is reversed by the provider once", async () => {
    await sandbox.control.decideCharge("holo-1", "reversed");
    await sandbox.control.decideCharge("holo-1", "reversed");
    await sandbox.control.decideCharge("holo-1", "success");
    await sandbox.control.settle();
    expect(events()).toEqual(["refund.processed"]);
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "reversed" });
    expect(await balance()).toBe(AFTER_CHARGE - 500_000);
  });

  it("is lost where its dispute is accepted", async () => {
    await sandbox.control.decideCharge("holo-1", "disputed");
    await sandbox.control.decideCharge("holo-1", "disputed");
    await sandbox.control.settle();
    expect(await balance()).toBe(AFTER_CHARGE);
    await sandbox.control.decideCharge("holo-1", "dispute_accepted");
    await sandbox.control.decideCharge("holo-1", "dispute_accepted");
    await sandbox.control.settle();
    expect(events()).toEqual([
      "charge.dispute.create",
      "charge.dispute.remind",
      "refund.processed",
      "charge.dispute.resolve",
    ]);
    expect(sandbox.receiver.received[0]?.data).toMatchObject({
      status: "awaiting-merchant-feedback",
      refund_amount: 500_000,
      transaction_reference: null,
      transaction: { reference: "holo-1", status: "success" },
    });
    expect(sandbox.receiver.received.at(-1)?.data).toMatchObject({
      status: "resolved",
      resolution: "merchant-accepted",
      transaction: { status: "reversed" },
    });
    expect(await balance()).toBe(AFTER_CHARGE - 500_000);
  });

  it("is paid again where its dispute is declined after a reversal", async () => {
    await sandbox.control.decideCharge("holo-1", "disputed");
    await sandbox.control.decideCharge("holo-1", "reversed");
    await sandbox.control.settle();
    expect(await balance()).toBe(AFTER_CHARGE - 500_000);
    await sandbox.control.decideCharge("holo-1", "dispute_declined");
    await sandbox.control.settle();
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
    expect(await balance()).toBe(AFTER_CHARGE);
  });

  it("stays paid where its dispute is declined", async () => {
    await sandbox.control.decideCharge("holo-1", "disputed");
    await sandbox.control.decideCharge("holo-1", "dispute_declined");
    await sandbox.control.settle();
    expect(events()).toEqual(["charge.dispute.create", "charge.dispute.resolve"]);
    expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
    expect(await balance()).toBe(AFTER_CHARGE);
  });
});
