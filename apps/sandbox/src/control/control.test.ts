import { HOUR_MS } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../http/json.ts";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const START = "2030-01-01T00:00:00.000Z";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
});
afterEach(() => sandbox.close());

const order = (path: string, body: JsonObject, contentType = "application/json"): Promise<Response> =>
  fetch(`${sandbox.url}/_sandbox/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": contentType },
  });

describe("the clock", () => {
  it("stops and continues on order", async () => {
    await sandbox.control.setClock({ at: START, frozen: true });
    await sandbox.initialize("holo-1");
    expect(await sandbox.verify("holo-1")).toMatchObject({ created_at: START });
    expect((await sandbox.control.state()).now).toBe(START);
    await sandbox.control.setClock({ frozen: false });
    await expect.poll(async () => (await sandbox.control.state()).now).not.toBe(START);
  });

  it("stops at every due task on its way, in order", async () => {
    await sandbox.control.setClock({ at: START, frozen: true });
    await sandbox.control.change({ transferSettlesAfterMs: 2 * HOUR_MS });
    await sandbox.transfer("holo-withdrawal-0001");
    await sandbox.control.change({ transferSettlesAfterMs: HOUR_MS });
    await sandbox.transfer("holo-withdrawal-0002");
    await sandbox.control.advance(24 * HOUR_MS);
    expect(sandbox.receiver.received.map(({ data }) => [data.reference, data.updatedAt])).toEqual([
      ["holo-withdrawal-0002", "2030-01-01T01:00:00.000Z"],
      ["holo-withdrawal-0001", "2030-01-01T02:00:00.000Z"],
    ]);
    expect((await sandbox.control.state()).now).toBe("2030-01-02T00:00:00.000Z");
  });

  it("runs due tasks by itself", async () => {
    await sandbox.control.change({ transferSettlesAfterMs: 20 });
    await sandbox.transfer("holo-withdrawal-0001");
    await expect.poll(() => sandbox.receiver.received.length).toBe(1);
  });

  it("can be set back without effect", async () => {
    await sandbox.control.setClock({ frozen: true, at: START });
    await sandbox.control.setClock({ at: "2029-01-01T00:00:00.000Z" });
    expect((await sandbox.control.state()).now).toBe("2029-01-01T00:00:00.000Z");
  });

  it.each([{ advanceMs: -1 }, { advanceMs: 1.5 }, { at: "tomorrow" }])("refuses %j", async (body) => {
    expect((await order("clock", body)).status).toBe(400);
  });
});

describe("the control API", () => {
  it("refuses unknown and out-of-range settings and keeps the others", async () => {
    for (const settings of [{ webhookUrl: "ftp://x" }, { retryScale: -1 }, { feeBearer: "nobody" }, { color: "red" }]) {
      expect((await order("settings", settings)).status).toBe(400);
    }
    const response = await order("settings", { retryPlan: "test", webhookUrl: null });
    expect((await response.json()).data).toMatchObject({ retryPlan: "test", webhookUrl: null, feeBearer: "account" });
  });

  it("refuses unknown outcomes and unknown things", async () => {
    await sandbox.initialize("holo-1");
    expect((await order("transactions/holo-1", { outcome: "stolen" })).status).toBe(400);
    expect((await order("transactions/holo-9", { outcome: "success" })).status).toBe(404);
    expect((await order("transfers/holo-9", { outcome: "success" })).status).toBe(404);
    expect((await order("refunds/9", { outcome: "processed" })).status).toBe(404);
    expect((await order("webhooks/9/replay", {})).status).toBe(404);
    expect((await order("balance", { kobo: 0.5 })).status).toBe(400);
    expect((await order("nothing", {})).status).toBe(404);
  });

  it("refuses forms, which a page of another origin could send", async () => {
    expect((await order("reset", {}, "text/plain")).status).toBe(400);
  });

  it("lists every call with its body and its answer", async () => {
    await sandbox.initialize("holo-1");
    await sandbox.get("/transaction/verify/holo-9");
    expect((await sandbox.control.state()).calls).toMatchObject([
      { operation: "initialize", reference: "holo-1", answered: 200, body: expect.stringContaining("500000") },
      { operation: "verify", reference: "holo-9", answered: 400, body: "" },
    ]);
  });

  it("resets all but its settings and never reuses an id", async () => {
    await sandbox.control.change({ businessName: "Somebody" });
    await sandbox.initialize("holo-1");
    const { id } = await sandbox.verify("holo-1");
    await sandbox.control.order({ on: "balance", fault: "500" });
    await sandbox.control.reset(7);
    expect(await sandbox.control.state()).toMatchObject({
      transactions: [],
      webhooks: [],
      calls: [],
      balance: 7,
      settings: { businessName: "Somebody" },
    });
    expect((await sandbox.get("/balance")).status).toBe(200);
    await sandbox.initialize("holo-1");
    expect((await sandbox.verify("holo-1")).id).toBeGreaterThan(id as bigint);
  });
});
