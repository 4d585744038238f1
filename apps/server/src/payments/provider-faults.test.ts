import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { ACCOUNT, makeWithdrawalForm, newId, openTestPayments, type TestPayments } from "./testing/test-payments.ts";
import { startTestSandbox, type TestSandbox } from "./testing/test-sandbox.ts";
import { openTestWire, type TestWire } from "./testing/test-wire.ts";

/**
 * Every fault of the sandbox at every point of a deposit and a withdrawal, and a killed server at
 * every step. Once the provider answers, each payment has ended once and the audit passes.
 */
const KOBO = 500_000;
const CREDITED = 16_339_870n;
const TAKEN = 16_339_869n;
const HC = wholeCoins(500);
const PATIENCE_MS = 120_000;

let database: Database;
let sandbox: TestSandbox;
let wire: TestWire;
let at: TestPayments;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  wire = await openTestWire(sandbox.url);
  const provider = { url: wire.url, secretKey: sandbox.secretKey, order: sandbox.order };
  // The provider gives up first, so that a slow machine never turns a true answer into a time-out.
  await sandbox.order("settings", { holdMs: 50 });
  at = await openTestPayments(database, provider);
});
beforeEach(() => sandbox.reset());
afterEach(() => {
  wire.isCutAt = () => false;
  at.isKilledAt = () => false;
});
afterAll(async () => {
  // What one test breaks stays broken.
  const broken = await at.findBroken();
  await at.close();
  wire.stop();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

async function pass(ms: number): Promise<void> {
  await at.advance(ms);
  await sandbox.order("webhooks/release", {});
  await sandbox.pass(ms);
}

async function hasOpenPayment(): Promise<boolean> {
  const { rows } = await sql`select from payments where status in ('pending', 'processing') limit 1`.execute(
    database.kysely,
  );
  return rows.length > 0;
}

/**
 * Moves all clocks in steps that double from five seconds until every payment has ended, for six
 * hours at most, then by 30 hours.
 */
async function settleAll(): Promise<void> {
  for (let step = 0; step < 12 && (step === 0 || (await hasOpenPayment())); step += 1) {
    await pass(5 * SECOND_MS * 2 ** step);
  }
  for (let step = 0; step < 2; step += 1) await pass(15 * 60 * MINUTE_MS);
}

async function readFaults(place: string): Promise<readonly string[]> {
  const { names } = (await sandbox.order("faults")) as { readonly names: Readonly<Record<string, readonly string[]>> };
  const found = names[place];
  if (found === undefined) throw new Error(`the sandbox knows no ${place}`);
  return found;
}

async function orderFault(on: string, fault: string, more: object = {}): Promise<void> {
  await sandbox.order("faults", { on, fault, ...(fault === "slow" ? { delayMs: 50 } : {}), ...more });
}

/** Expects `common` for every fault of a point that `others` does not name. */
function expectAll(
  found: Readonly<Record<string, string>>,
  common: string,
  others: Readonly<Record<string, string>> = {},
): void {
  const expected = Object.fromEntries(Object.keys(found).map((fault) => [fault, others[fault] ?? common]));
  expect(found).toEqual(expected);
  expect(Object.keys(others).filter((fault) => !(fault in found))).toEqual([]);
}

interface Begun {
  readonly player: PlayerId;
  readonly reference: string;
}

/** The status, the money, and how the balance differs from what they imply. */
async function sumUp({ player, reference }: Begun, before: bigint): Promise<string> {
  const { status, money } = await at.find(reference);
  const due = {
    none: 0n,
    credited: CREDITED,
    taken_back: 0n,
    held: -TAKEN,
    paid: -TAKEN,
    returned: 0n,
    lost: 0n,
  }[money];
  const off = (await at.balance(player)) - before - due;
  return `${status} ${money}${off === 0n ? "" : ` (${off} off)`}`;
}

/**
 * Repeats the command until there is an answer, and begins a new one after a refusal, like the
 * page.
 */
async function beginDeposit(player: PlayerId): Promise<Begun> {
  let commandId: CommandId = newId();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const begun = await at.payments
      .begin({
        playerId: player,
        email: `${player}@example.com`,
        commandId,
        kobo: KOBO,
        payKobo: KOBO,
        rateKobo: at.rateKobo,
      })
      .catch(() => null);
    if (begun?.ok) return { player, reference: begun.value.payment.reference };
    if (begun !== null) commandId = newId();
    at.time.advance(MINUTE_MS);
  }
  throw new Error("no deposit could be begun");
}

async function beginWithdrawal(accountNumber = ACCOUNT.accountNumber): Promise<Begun> {
  const player = await at.addPlayer(HC);
  const { reference } = await at.withdraw(player, KOBO, accountNumber);
  return { player, reference };
}

describe("a deposit", () => {
  // [FAULT-07 §-] With any fault of the provider a deposit is credited once and a withdrawal paid once, and every
  // naira is reconciled.
  test("is credited once with any fault at its start [FAULT-07]", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("initialize")) {
      await orderFault("initialize", fault);
      const deposit = await beginDeposit(await at.addPlayer());
      await sandbox.order(`transactions/${deposit.reference}`, { outcome: "pay" });
      begun.set(fault, deposit);
    }
    await settleAll();
    const found: Record<string, string> = {};
    for (const [fault, deposit] of begun) found[fault] = await sumUp(deposit, 0n);
    expectAll(found, "completed credited");
  });

  test("is credited once with any answer to a question", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("verify")) {
      const deposit = await beginDeposit(await at.addPlayer());
      const { reference } = deposit;
      await orderFault("verify", fault, { reference, times: 2 });
      await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
      await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
      begun.set(fault, deposit);
    }
    await settleAll();
    const found: Record<string, string> = {};
    for (const [fault, deposit] of begun) found[fault] = await sumUp(deposit, 0n);
    expectAll(found, "completed credited", { wrong_amount: "review none", wrong_currency: "review none" });
  });

  test("A deposit whose webhook is lost, late or doubled is credited once [FAULT-08 §-]", {
    timeout: PATIENCE_MS,
  }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("webhook")) {
      const deposit = await beginDeposit(await at.addPlayer());
      await sandbox.order("faults", { on: "webhook", fault, reference: deposit.reference });
      await sandbox.order(`transactions/${deposit.reference}`, { outcome: "pay" });
      begun.set(fault, deposit);
    }
    await settleAll();
    const found: Record<string, string> = {};
    for (const [fault, deposit] of begun) found[fault] = await sumUp(deposit, 0n);
    // What a webhook says of a charge counts for nothing (ruling 59).
    expectAll(found, "completed credited");
  });

  test("ends as the provider reports", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    const waiting = ["ongoing", "pending", "processing", "queued"];
    for (const fault of await readFaults("charge_outcome")) {
      const deposit = await beginDeposit(await at.addPlayer());
      await sandbox.order("faults", { on: "charge_outcome", fault, reference: deposit.reference });
      await sandbox.order(`transactions/${deposit.reference}`, { outcome: "pay" });
      begun.set(fault, deposit);
    }
    await settleAll();
    for (const fault of waiting) {
      const { reference } = begun.get(fault)!;
      expect(await at.find(reference), fault).toMatchObject({ status: "pending", money: "none" });
      await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
      await sandbox.order(`transactions/${reference}`, { outcome: "success" });
    }
    await settleAll();
    const found: Record<string, string> = {};
    for (const [fault, deposit] of begun) found[fault] = await sumUp(deposit, 0n);
    expectAll(found, "completed credited", {
      wrong_amount: "review none",
      wrong_currency: "review none",
      reversed: "reversed taken_back",
      disputed: "review credited",
      failed: "failed none",
      abandoned: "abandoned none",
    });
  });
});

describe("a withdrawal", () => {
  async function countSent(reference: string): Promise<number> {
    const { transfers } = await sandbox.state();
    return transfers.filter((transfer) => transfer.reference === reference && transfer.status === "success").length;
  }

  async function sumUpAll(begun: ReadonlyMap<string, Begun>): Promise<Readonly<Record<string, string>>> {
    const found: Record<string, string> = {};
    for (const [fault, withdrawal] of begun) {
      found[fault] = `${await sumUp(withdrawal, HC)}, paid ${await countSent(withdrawal.reference)}`;
    }
    return found;
  }

  test("is paid once with any fault of its recipient", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    const faults = await readFaults("create_recipient");
    for (const [index, fault] of faults.entries()) {
      const accountNumber = `01234567${String(10 + index)}`;
      await orderFault("create_recipient", fault, { reference: accountNumber });
      const withdrawal = await beginWithdrawal(accountNumber);
      await at.advance(0);
      begun.set(fault, withdrawal);
    }
    await settleAll();
    // Nothing was or will be sent to a payee that the provider refuses.
    const refused = "failed returned, paid 0";
    expectAll(await sumUpAll(begun), "completed paid, paid 1", {
      not_found: refused,
      duplicate_reference: refused,
    });
  });

  test("is paid once with any answer to its order [FAULT-07]", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("transfer")) {
      const withdrawal = await beginWithdrawal();
      await orderFault("transfer", fault, { reference: withdrawal.reference });
      begun.set(fault, withdrawal);
    }
    await settleAll();
    expectAll(await sumUpAll(begun), "completed paid, paid 1", { not_found: "failed returned, paid 0" });
  });

  test("is paid once with any answer to a question", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("verify_transfer")) {
      const withdrawal = await beginWithdrawal();
      const { reference } = withdrawal;
      await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
      await orderFault("verify_transfer", fault, { reference, times: 2 });
      begun.set(fault, withdrawal);
    }
    await settleAll();
    // The provider reports a wrong failure, which the daily reconciliation finds.
    expectAll(await sumUpAll(begun), "completed paid, paid 1", { wrong_status: "failed returned, paid 1" });
  });

  test("is paid once with any fault of its webhook", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("webhook")) {
      const withdrawal = await beginWithdrawal();
      await sandbox.order("faults", { on: "webhook", fault, reference: withdrawal.reference });
      begun.set(fault, withdrawal);
    }
    await settleAll();
    expectAll(await sumUpAll(begun), "completed paid, paid 1");
  });

  test("ends as the provider reports", { timeout: PATIENCE_MS }, async () => {
    const begun = new Map<string, Begun>();
    for (const fault of await readFaults("transfer_outcome")) {
      const withdrawal = await beginWithdrawal();
      await sandbox.order("faults", { on: "transfer_outcome", fault, reference: withdrawal.reference });
      begun.set(fault, withdrawal);
    }
    await settleAll();
    for (const [fault, status] of [
      ["pending", "processing"] as const,
      ["received", "processing"] as const,
      ["otp", "pending"] as const,
    ]) {
      const { reference } = begun.get(fault)!;
      expect(await at.find(reference), fault).toMatchObject({ status, money: "held" });
      await sandbox.order("faults", { on: "webhook", fault: "lost", reference });
      await sandbox.order(`transfers/${reference}`, { outcome: "success" });
    }
    await settleAll();
    const returned = "failed returned, paid 0";
    expectAll(await sumUpAll(begun), "completed paid, paid 1", {
      failed: returned,
      abandoned: returned,
      blocked: returned,
      rejected: returned,
      reversed: "reversed returned, paid 0",
    });
  });
});

describe("a killed server", () => {
  const PLACES = [
    ["POST", "/transaction/initialize"],
    ["GET", "/transaction/verify"],
    ["POST", "/transferrecipient"],
    ["POST", "/transfer"],
    ["GET", "/transfer/verify"],
  ] as const;
  const CUTS = PLACES.flatMap(([method, path]) => [
    ["asked", method, path] as const,
    ["answered", method, path] as const,
  ]);

  function killAt(stage: string, method: string, path: string): () => boolean {
    let isKilled = false;
    wire.isCutAt = (...there) => {
      const isThere = there[0] === stage && there[1] === method && there[2].split("?")[0]!.startsWith(path);
      const isOther = path === "/transfer" && there[2] !== path;
      if (isKilled || !isThere || isOther) return false;
      isKilled = true;
      at.kill();
      return true;
    };
    return () => isKilled;
  }

  test.each(CUTS)(
    "when it has %s %s %s leaves nothing undone and nothing done twice",
    { timeout: PATIENCE_MS },
    async (stage, method, path) => {
      const isKilled = killAt(stage, method, path);
      const deposit = await beginDeposit(await at.addPlayer());
      // No webhook may arrive before the query.
      await sandbox.order("faults", { on: "webhook", fault: "lost", times: 2 });
      await sandbox.order(`transactions/${deposit.reference}`, { outcome: "pay" });
      const withdrawal = await beginWithdrawal(path === "/transferrecipient" ? "0123456788" : ACCOUNT.accountNumber);
      await settleAll();
      expect(isKilled()).toBe(true);
      expect(await sumUp(deposit, 0n)).toBe("completed credited");
      expect(await sumUp(withdrawal, HC)).toBe("completed paid");
      const { transfers } = await sandbox.state();
      expect(transfers.map(({ reference }) => reference)).toEqual([withdrawal.reference]);
    },
  );

  test.each(["webhook received", "webhook committed"] as const)(
    "that has a %s loses and repeats nothing",
    { timeout: PATIENCE_MS },
    async (stage) => {
      let kills = 0;
      at.isKilledAt = (there) => {
        if (there !== stage || kills >= 2) return false;
        kills += 1;
        return true;
      };
      const deposit = await beginDeposit(await at.addPlayer());
      await sandbox.order(`transactions/${deposit.reference}`, { outcome: "pay" });
      await sandbox.pass();
      const withdrawal = await beginWithdrawal();
      await settleAll();
      expect(kills).toBe(2);
      expect(await sumUp(deposit, 0n)).toBe("completed credited");
      expect(await sumUp(withdrawal, HC)).toBe("completed paid");
    },
  );

  test("with a saved deposit and no checkout leaves an answer or a new deposit to repeated commands", async () => {
    const player = await at.addPlayer();
    wire.isCutAt = () => {
      at.kill();
      return true;
    };
    const form = {
      playerId: player,
      email: "ada@example.com",
      commandId: newId(),
      kobo: KOBO,
      payKobo: KOBO,
      rateKobo: at.rateKobo,
    };
    await expect(at.payments.begin(form)).rejects.toThrow();
    wire.isCutAt = () => false;
    at.time.advance(2 * MINUTE_MS);
    const again = await at.payments.begin(form);
    expect(again.ok).toBe(true);
  });

  test("with an accepted withdrawal that was not sent leaves held coins, and the next server sends them", async () => {
    const player = await at.addBanked(HC);
    wire.isCutAt = (stage, method, path) => stage === "asked" && method === "POST" && path.startsWith("/transfer");
    const withdrawn = await at.payments.withdraw(makeWithdrawalForm(player));
    at.kill();
    expect(await at.balance(player)).toBe(HC - TAKEN);
    wire.isCutAt = () => false;
    await settleAll();
    expect(withdrawn.ok && (await at.find(withdrawn.value.reference)).money).toBe("paid");
  });
});
