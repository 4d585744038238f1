import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../http/json.ts";
import { openTestSandbox, type TestSandbox } from "../testing/test-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openTestSandbox();
});
afterAll(() => sandbox.close());

describe("listing banks", () => {
  it("returns the whole list without a cursor", async () => {
    const { body } = await sandbox.get("/bank?country=nigeria");
    expect(body.data).toHaveLength(39);
    expect(body.data).toContainEqual(
      expect.objectContaining({ name: "Zenith Bank", slug: "zenith-bank", code: "057", longcode: "057150000" }),
    );
    expect((await sandbox.get("/bank?country=atlantis")).status).toBe(400);
  });

  it("returns pages, including deleted banks", async () => {
    const codes: unknown[] = [];
    const pages: JsonObject[] = [];
    for (let next: unknown = ""; next !== null; next = pages.at(-1)?.next) {
      const { body } = await sandbox.get(
        `/bank?country=nigeria&perPage=100&use_cursor=true${next ? `&next=${next}` : ""}`,
      );
      const banks = body.data as unknown as readonly JsonObject[];
      codes.push(...banks.filter(({ active, is_deleted }) => active && !is_deleted).map(({ code }) => code));
      pages.push(body.meta as JsonObject);
    }
    expect(pages.map(({ perPage }) => perPage)).toEqual([10, 10, 10, 10]);
    expect(pages[0]?.previous).toBeNull();
    expect(new Set(codes).size).toBe(37);
    const { body } = await sandbox.get(`/bank?use_cursor=true&previous=${pages[1]?.previous}`);
    expect(body.meta).toEqual(pages[0]);
    expect((await sandbox.get("/bank?use_cursor=true&next=nonsense")).status).toBe(400);
  });
});

describe("resolving an account", () => {
  const resolve = (account: string, bank: string): ReturnType<TestSandbox["get"]> =>
    sandbox.get(`/bank/resolve?account_number=${account}&bank_code=${bank}`);

  it("returns the same name every time", async () => {
    const { status, body } = await resolve("0123456789", "057");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: "Account number resolved",
      data: { account_number: "0123456789", account_name: "UDOH KEMI", bank_id: 39 },
    });
    expect((await resolve("0123456789", "057")).data).toEqual(body.data);
  });

  it.each([
    ["", "057", 400, "Account number is required"],
    ["12a", "057", 400, "Account number should be numeric"],
    ["123", "057", 400, "Account number is invalid"],
    ["0123456789", "", 400, "bank_code is required"],
    ["0123456789", "nope", 400, "Unknown bank code"],
    ["0123456789", "030", 400, "Unknown bank code"],
    ["0123459009", "057", 422, "Could not resolve account name. Check parameters or try again."],
  ])("refuses %j at %j", async (account, bank, status, message) => {
    const refused = await resolve(account, bank);
    expect(refused.status).toBe(status);
    expect(refused.body).toMatchObject({ status: false, message });
  });
});
