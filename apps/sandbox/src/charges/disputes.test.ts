import { afterEach, beforeEach, expect, it } from "vitest";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
});
afterEach(() => sandbox.close());

it("takes evidence against an open dispute, and the bank decides", async () => {
  await sandbox.initialize("holo-1");
  await sandbox.control.decideCharge("holo-1", "success");
  await sandbox.control.decideCharge("holo-1", "disputed");
  const [dispute] = (await sandbox.get("/dispute")).body.data as readonly { readonly id: bigint | number }[];
  const path = `/dispute/${dispute?.id}`;
  const evidence = { customer_email: "ada@example.com", customer_name: "ada", service_details: "Played and won" };
  expect((await sandbox.post("/dispute/7/evidence", evidence)).status).toBe(404);
  expect((await sandbox.post(`${path}/evidence`, { ...evidence, service_details: "" })).status).toBe(400);
  const added = await sandbox.post(`${path}/evidence`, evidence);
  const decline = (id: string) => sandbox.put(`${path}/resolve`, { resolution: "declined", evidence: id });
  expect((await decline("7")).status).toBe(400);
  expect((await decline(String(added.data.id))).data).toMatchObject({
    status: "awaiting-bank-feedback",
    resolution: null,
    evidence: "Played and won",
  });
  await sandbox.control.decideCharge("holo-1", "dispute_declined");
  expect((await decline(String(added.data.id))).status).toBe(404);
});
