import { HOUR_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
  await sandbox.initialize("holo-1");
});
afterEach(() => sandbox.close());

const events = (): readonly string[] => sandbox.receiver.received.map(({ event }) => event);
const pay = (): Promise<string | null> => sandbox.control.decideCharge("holo-1", "pay");

it("reports another amount paid consistently everywhere", async () => {
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_amount", amount: 400_000 });
  await pay();
  await sandbox.control.settle();
  const reported = { status: "success", amount: 400_000, requested_amount: 500_000, fees: 16_000 };
  expect(await sandbox.verify("holo-1")).toMatchObject(reported);
  expect(sandbox.receiver.received[0]?.data).toMatchObject(reported);
});

it("pays one naira less by default for a wrong amount", async () => {
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_amount" });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ amount: 499_900 });
});

it("pays in another currency without changing the balance", async () => {
  const before = (await sandbox.control.state()).balance;
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_currency" });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success", currency: "USD" });
  expect((await sandbox.control.state()).balance).toBe(before);
});

it.each([
  ["reversed", ["charge.success", "refund.processed"], "reversed"],
  ["disputed", ["charge.success", "charge.dispute.create"], "success"],
] as const)("is %s some time after its success", async (fault, reported, status) => {
  await sandbox.control.order({ on: "charge_outcome", fault, delayMs: HOUR_MS });
  await pay();
  await sandbox.control.settle();
  expect(events()).toEqual(["charge.success"]);
  await sandbox.control.advance(HOUR_MS);
  expect(events()).toEqual(reported);
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
});

it.each(["ongoing", "pending", "processing", "queued"] as const)("stays %s until it is settled", async (status) => {
  await sandbox.control.order({ on: "charge_outcome", fault: status });
  await pay();
  await sandbox.control.advance(24 * HOUR_MS);
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
  expect(events()).toEqual([]);
  await sandbox.control.decideCharge("holo-1", "success");
  await sandbox.control.settle();
  expect(events()).toEqual(["charge.success"]);
});

it.each(["failed", "abandoned"] as const)("can still be paid after %s", async (status) => {
  await sandbox.control.order({ on: "charge_outcome", fault: status });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
});

it("stays paid after any other outcome", async () => {
  await pay();
  for (const word of ["failed", "abandoned", "pending", "fail", "cancel", "pay", "success"]) {
    await sandbox.control.decideCharge("holo-1", word);
  }
  await sandbox.control.settle();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
  expect(events()).toEqual(["charge.success"]);
});

it("accepts another amount as paid", async () => {
  await sandbox.control.decideCharge("holo-1", "success", { amount: 1_000, currency: "GHS" });
  expect(await sandbox.verify("holo-1")).toMatchObject({ amount: 1_000, currency: "GHS" });
});
