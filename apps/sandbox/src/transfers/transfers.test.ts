import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

const REFERENCE = "holo-withdrawal-0001";
const BALANCE = 1_000_000_000;

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openTestSandbox();
});
afterEach(() => sandbox.close());

const balance = async (): Promise<unknown> => (await sandbox.get("/balance")).body.data;
const holds = (kobo: number): unknown => [{ currency: "NGN", balance: kobo }];
const events = (): readonly string[] => sandbox.receiver.received.map(({ event }) => event);

describe("a recipient", () => {
  const create = (fields = {}): ReturnType<TestSandbox["post"]> =>
    sandbox.post("/transferrecipient", {
      type: "nuban",
      name: "Ada",
      account_number: "0123456789",
      bank_code: "057",
      currency: "NGN",
      ...fields,
    });

  it("is created once for an account", async () => {
    const made = await create();
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject({
      recipient_code: expect.stringMatching(/^RCP_[a-z0-9]{15}$/),
      type: "nuban",
      name: "Ada",
      details: {
        account_number: "0123456789",
        account_name: "UDOH KEMI",
        bank_code: "057",
        bank_name: "Zenith Bank",
      },
    });
    const again = await create({ name: "Somebody Else" });
    expect(again.status).toBe(200);
    expect(again.data).toEqual(made.data);
    expect((await create({ bank_code: "058" })).data.recipient_code).not.toBe(made.data.recipient_code);
  });

  it.each([
    [{ type: "mobile_money" }, "Type is invalid"],
    [{ name: "" }, "Name is required"],
    [{ currency: "USD" }, "Currency is invalid"],
    [{ account_number: "12345" }, "Account number is invalid"],
    [{ bank_code: "nope" }, "Unknown bank code"],
    [{ account_number: "0123459009" }, "Cannot resolve account"],
  ])("is refused for %j", async (fields, message) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: false, message });
  });
});

describe("a transfer", () => {
  it("is queued, takes amount and fee, and succeeds", async () => {
    await sandbox.control.change({ transferSettlesAfterMs: 60_000 });
    const { status, body, data } = await sandbox.transfer(REFERENCE);
    expect(status).toBe(200);
    expect(body.message).toBe("Transfer has been queued");
    expect(data).toMatchObject({
      status: "pending",
      amount: 500_000,
      reference: REFERENCE,
      transfer_code: expect.stringMatching(/^TRF_/),
    });
    expect(typeof data.id).toBe("bigint");
    expect(await balance()).toEqual(holds(BALANCE - 501_000));
    await sandbox.control.advance(60_000);
    expect(events()).toEqual(["transfer.success"]);
    expect(sandbox.receiver.received[0]?.data).toMatchObject({
      reference: REFERENCE,
      status: "success",
      amount: 500_000,
      fee_charged: 1_000,
      recipient: { details: { account_number: "0123450000" } },
    });
    expect((await sandbox.get(`/transfer/verify/${REFERENCE}`)).data).toMatchObject({ status: "success" });
    expect(await balance()).toEqual(holds(BALANCE - 501_000));
  });

  it("can succeed at once", async () => {
    await sandbox.control.order({ on: "transfer_outcome", fault: "success_at_once" });
    expect((await sandbox.transfer(REFERENCE)).data.status).toBe("success");
  });

  it.each([
    ["failed", ["transfer.failed"]],
    ["reversed", ["transfer.success", "transfer.reversed"]],
    ["abandoned", []],
    ["blocked", []],
    ["rejected", []],
  ] as const)("returns amount and fee after %s", async (fault, reported) => {
    await sandbox.control.order({ on: "transfer_outcome", fault, delayMs: 5_000 });
    await sandbox.transfer(REFERENCE);
    await sandbox.control.advance(5_000);
    expect(events()).toEqual(reported);
    expect((await sandbox.get(`/transfer/verify/${REFERENCE}`)).data).toMatchObject({ status: fault });
    expect(await balance()).toEqual(holds(BALANCE));
  });

  it.each(["pending", "otp", "received"] as const)("stays %s until it is settled", async (fault) => {
    await sandbox.control.order({ on: "transfer_outcome", fault });
    expect((await sandbox.transfer(REFERENCE)).data.status).toBe(fault);
    await sandbox.control.advance(3 * 24 * 3_600_000);
    expect((await sandbox.get(`/transfer/verify/${REFERENCE}`)).data.status).toBe(fault);
    await sandbox.control.decideTransfer(REFERENCE, "success");
    await sandbox.control.settle();
    expect(events()).toEqual(["transfer.success"]);
  });

  it("can be reversed once after its success", async () => {
    await sandbox.transfer(REFERENCE);
    await sandbox.control.settle();
    await sandbox.control.decideTransfer(REFERENCE, "failed");
    await sandbox.control.decideTransfer(REFERENCE, "reversed");
    await sandbox.control.decideTransfer(REFERENCE, "reversed");
    await sandbox.control.settle();
    expect(events()).toEqual(["transfer.success", "transfer.reversed"]);
    expect(await balance()).toEqual(holds(BALANCE));
  });

  it.each([
    ["9001", "failed"],
    ["9002", "reversed"],
    ["9003", "otp"],
    ["9004", "pending"],
  ])("to an account that ends in %s ends as %s", async (ending, status) => {
    await sandbox.transfer(REFERENCE, ending);
    await sandbox.control.advance(60_000);
    expect((await sandbox.get(`/transfer/verify/${REFERENCE}`)).data.status).toBe(status);
  });

  it("is refused for a used reference with any content", async () => {
    await sandbox.transfer(REFERENCE);
    await sandbox.control.setBalance(0);
    const { status, body } = await sandbox.transfer(REFERENCE);
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: false, code: "duplicate_transfer_reference" });
    expect((await sandbox.control.state()).transfers).toHaveLength(1);
  });

  it("is refused where the balance does not cover amount and fee", async () => {
    await sandbox.control.setBalance(500_999);
    const { status, body } = await sandbox.transfer(REFERENCE);
    expect(status).toBe(400);
    expect(body.message).toBe("Your balance is not enough to fulfil this request");
    await sandbox.control.setBalance(501_000);
    expect((await sandbox.transfer(REFERENCE)).status).toBe(200);
  });

  it.each([
    [{ source: "card" }, "Source is invalid"],
    [{ amount: "500000" }, "Invalid amount passed."],
    [{ amount: 0.5 }, "Invalid amount passed."],
    [{ reference: "too-short" }, "Your reference contains illegal special characters"],
    [{ reference: "Capital-Letters-0001" }, "Your reference contains illegal special characters"],
    [{ recipient: "RCP_nobody" }, "Recipient specified is invalid"],
  ])("is refused for %j", async (fields, message) => {
    const { status, body } = await sandbox.post("/transfer", {
      source: "balance",
      amount: 500_000,
      recipient: "RCP_x",
      reference: REFERENCE,
      ...fields,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ status: false, message });
  });

  it("is not found without an order", async () => {
    const { status, body } = await sandbox.get(`/transfer/verify/${REFERENCE}`);
    expect(status).toBe(404);
    expect(body).toEqual({ status: false, message: "Transfer not found" });
  });

  it("is listed, newest first", async () => {
    await sandbox.transfer(REFERENCE);
    await sandbox.transfer("holo-withdrawal-0002", "9003");
    await sandbox.control.settle();
    const { body } = await sandbox.get("/transfer?perPage=10");
    expect(body).toMatchObject({
      data: [
        { reference: "holo-withdrawal-0002", status: "otp" },
        { reference: REFERENCE, status: "success" },
      ],
      meta: { total: 2 },
    });
    expect((await sandbox.get("/transfer?status=otp")).body.data).toHaveLength(1);
  });
});
