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

it("pays another sum than was asked for, and says so everywhere alike", async () => {
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_amount", amount: 400_000 });
  await pay();
  await sandbox.control.settle();
  const told = { status: "success", amount: 400_000, requested_amount: 500_000, fees: 16_000 };
  expect(await sandbox.verify("holo-1")).toMatchObject(told);
  expect(sandbox.receiver.received[0]?.data).toMatchObject(told);
});

it("pays a naira less where nothing else is said", async () => {
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_amount" });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ amount: 499_900 });
});

it("pays in another currency, of which the balance sees nothing", async () => {
  const before = (await sandbox.control.state()).balance;
  await sandbox.control.order({ on: "charge_outcome", fault: "wrong_currency" });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success", currency: "USD" });
  expect((await sandbox.control.state()).balance).toBe(before);
});

it.each([
  ["reversed", ["charge.success", "refund.processed"], "reversed"],
  ["disputed", ["charge.success", "charge.dispute.create"], "success"],
] as const)("can be %s some time after its success", async (fault, told, status) => {
  await sandbox.control.order({ on: "charge_outcome", fault, delayMs: HOUR_MS });
  await pay();
  await sandbox.control.settle();
  expect(events()).toEqual(["charge.success"]);
  await sandbox.control.advance(HOUR_MS);
  expect(events()).toEqual(told);
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
});

it.each(["ongoing", "pending", "processing", "queued"] as const)("can stay %s until it is told", async (status) => {
  await sandbox.control.order({ on: "charge_outcome", fault: status });
  await pay();
  await sandbox.control.advance(24 * HOUR_MS);
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
  expect(events()).toEqual([]);
  await sandbox.control.decideCharge("holo-1", "success");
  await sandbox.control.settle();
  expect(events()).toEqual(["charge.success"]);
});

it.each(["failed", "abandoned"] as const)("that %s can still be paid", async (status) => {
  await sandbox.control.order({ on: "charge_outcome", fault: status });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status });
  await pay();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
});

it("that was paid fails no more", async () => {
  await pay();
  for (const word of ["failed", "abandoned", "pending", "fail", "cancel", "pay", "success"]) {
    await sandbox.control.decideCharge("holo-1", word);
  }
  await sandbox.control.settle();
  expect(await sandbox.verify("holo-1")).toMatchObject({ status: "success" });
  expect(events()).toEqual(["charge.success"]);
});

it("can be told to be paid with another sum", async () => {
  await sandbox.control.decideCharge("holo-1", "success", { amount: 1_000, currency: "GHS" });
  expect(await sandbox.verify("holo-1")).toMatchObject({ amount: 1_000, currency: "GHS" });
});
