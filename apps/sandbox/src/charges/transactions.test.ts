import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestSandbox, TEST_KEY, type TestSandbox } from "../testing/test-sandbox.ts";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
});
afterEach(() => sandbox.close());

describe("the secret key", () => {
  const read = (authorization?: string): Promise<Response> =>
    fetch(`${sandbox.url}/balance`, { headers: authorization === undefined ? {} : { authorization } });

  it.each([
    [undefined, "No Authorization Header was found"],
    ["Bearer", "Format is Authorization Bearer [secret key]"],
    ["Basic c2s6", "Format is Authorization Bearer [secret key]"],
    ["Bearer sk_test_somebody_else", "Invalid key"],
    [`Bearer ${TEST_KEY}x`, "Invalid key"],
  ])("is refused with 401 as %s", async (authorization, message) => {
    const response = await read(authorization);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: false, message, type: "validation_error" });
  });

  it("is accepted", async () => {
    expect((await read(`Bearer ${TEST_KEY}`)).status).toBe(200);
  });

  it("is checked before the path", async () => {
    expect((await fetch(`${sandbox.url}/nowhere`)).status).toBe(401);
    expect((await sandbox.get("/nowhere")).status).toBe(404);
  });
});

describe("initializing a charge", () => {
  it("returns the address of its checkout", async () => {
    const { status, body, data } = await sandbox.initialize("holo-1.a=B");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, message: "Authorization URL created" });
    expect(data).toEqual({
      authorization_url: `${sandbox.url}/checkout/${data.access_code}`,
      access_code: expect.stringMatching(/^[a-z0-9]{15}$/),
      reference: "holo-1.a=B",
    });
  });

  it("creates a reference where none is sent", async () => {
    const { data } = await sandbox.post("/transaction/initialize", { email: "ada@example.com", amount: 500_000 });
    expect(await sandbox.verify(String(data.reference))).toMatchObject({ amount: 500_000 });
  });

  it.each([
    [{ email: "" }, "Email is not allowed to be empty"],
    [{ email: "ada" }, "Invalid Email Address Passed"],
    [{ amount: "0" }, "Invalid Amount Sent"],
    [{ amount: 5000.5 }, "Invalid Amount Sent"],
    [{ amount: "5000.00" }, "Invalid Amount Sent"],
    [{ amount: -100 }, "Invalid Amount Sent"],
    [{ amount: "1000000001" }, "Transaction amount limit exceeded"],
    [{ currency: "EUR" }, "Currency not supported by merchant"],
    [{ reference: "with_underscore" }, "Invalid character in transaction reference"],
    [{ callback_url: "javascript:alert(1)" }, "Invalid callback_url"],
  ])("refuses %j", async (fields, message) => {
    const { status, body } = await sandbox.initialize("holo-1", fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatchObject({
      status: false,
      message,
      type: "validation_error",
      code: expect.stringMatching(/^[a-z_]+$/),
      meta: { nextStep: expect.any(String) },
    });
    expect((await sandbox.control.state()).transactions).toEqual([]);
  });

  it("refuses a used reference and keeps its charge", async () => {
    await sandbox.initialize("holo-1");
    const { status, body } = await sandbox.initialize("holo-1", { amount: "900000" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: "Duplicate Transaction Reference", code: "duplicate_reference" });
    expect(await sandbox.verify("holo-1")).toMatchObject({ amount: 500_000 });
  });

  it("refuses anything but a JSON object", async () => {
    const response = await fetch(`${sandbox.url}/transaction/initialize`, {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_KEY}` },
      body: "[1",
    });
    expect(response.status).toBe(400);
  });
});

describe("verifying a charge", () => {
  it("reports an unpaid charge as abandoned", async () => {
    await sandbox.initialize("holo-1");
    expect(await sandbox.verify("holo-1")).toMatchObject({
      status: "abandoned",
      amount: 500_000,
      requested_amount: 500_000,
      currency: "NGN",
      fees: null,
      paid_at: null,
      metadata: "",
      reference: "holo-1",
      customer: { email: "ada@example.com" },
    });
  });

  it("returns ids beyond the range of a double", async () => {
    for (const reference of ["holo-1", "holo-2", "holo-3"]) {
      await sandbox.initialize(reference);
      const { text, data } = await sandbox.get(`/transaction/verify/${reference}`);
      expect(typeof data.id).toBe("bigint");
      expect(text).toContain(`"id":${data.id}`);
      expect(BigInt(JSON.parse(text).data.id)).not.toBe(data.id);
    }
  });

  it("returns metadata as it was sent, and an empty form where there is none", async () => {
    await sandbox.initialize("holo-1", { metadata: '{"intent":"a","n":1}' });
    await sandbox.initialize("holo-2");
    expect(await sandbox.verify("holo-1")).toMatchObject({ metadata: { intent: "a", n: 1 } });
    expect(await sandbox.verify("holo-2")).toMatchObject({ metadata: "" });
    await sandbox.control.decideCharge("holo-2", "success");
    await sandbox.control.settle();
    expect(sandbox.receiver.received[0]).toMatchObject({ event: "charge.success", data: { metadata: 0 } });
    const { body } = await sandbox.get("/transaction");
    expect(body.data).toMatchObject([{ metadata: null }, { metadata: { intent: "a" } }]);
  });

  it("refuses an unknown reference", async () => {
    const { status, body } = await sandbox.get("/transaction/verify/holo-9");
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: false, code: "transaction_not_found" });
  });

  it("answers 200 for a failed charge", async () => {
    await sandbox.initialize("holo-1");
    await sandbox.control.decideCharge("holo-1", "failed");
    const { status, body } = await sandbox.get("/transaction/verify/holo-1");
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: true, data: { status: "failed", gateway_response: "Declined" } });
  });

  it("reports amount, requested amount and fee where the payer bears the fee", async () => {
    await sandbox.control.change({ feeBearer: "customer" });
    await sandbox.initialize("holo-1");
    await sandbox.control.decideCharge("holo-1", "success");
    expect(await sandbox.verify("holo-1")).toMatchObject({
      status: "success",
      amount: 517_767,
      requested_amount: 500_000,
      fees: 17_767,
    });
  });

  it("returns a fee and a requested amount that add up to the amount", async () => {
    await sandbox.control.change({ feeBearer: "customer" });
    for (const [index, amount] of [100, 246_250, 246_251, 500_066, 12_345_678].entries()) {
      await sandbox.initialize(`holo-${index}`, { amount });
      await sandbox.control.decideCharge(`holo-${index}`, "success");
      const reported = await sandbox.verify(`holo-${index}`);
      expect(reported.requested_amount).toBe(amount);
      expect(reported.amount).toBe(amount + Number(reported.fees));
    }
  });
});

describe("listing charges", () => {
  it("returns pages, newest first, filtered by status and time", async () => {
    await sandbox.control.setClock({ at: "2030-01-01T00:00:00Z", frozen: true });
    for (const reference of ["holo-1", "holo-2", "holo-3"]) {
      await sandbox.initialize(reference);
      await sandbox.control.advance(60_000);
    }
    await sandbox.control.decideCharge("holo-2", "success");
    const list = async (query: string): Promise<unknown> => {
      const { body } = await sandbox.get(`/transaction${query}`);
      return (body.data as unknown as { reference: string }[]).map(({ reference }) => reference);
    };
    expect(await list("")).toEqual(["holo-3", "holo-2", "holo-1"]);
    expect(await list("?perPage=2&page=2")).toEqual(["holo-1"]);
    expect(await list("?status=success")).toEqual(["holo-2"]);
    expect(await list("?from=2030-01-01T00:00:30Z&to=2030-01-01T00:01:30Z")).toEqual(["holo-2"]);
    const { body } = await sandbox.get("/transaction?perPage=2");
    expect(body.meta).toEqual({ total: 3, skipped: 0, perPage: 2, page: 1, pageCount: 2 });
    expect((await sandbox.get("/transaction?from=yesterday")).status).toBe(400);
  });
});
