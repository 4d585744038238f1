import { toCoins, toKobo } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database, Tx } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import {
  debtsOf,
  type JournalEntry,
  type JournalEntryKind,
  type Posting,
  platformAccount,
  walletOf,
} from "../journal/journal-entry.ts";
import { openAccount, saveJournalEntry } from "../journal/journal-store.ts";
import { at, makeTestLedger, naira, newPaymentId, type TestLedger } from "../testing/test-ledger.ts";
import { ledgerInvariants } from "./audit.ts";

let database: Database;
let ledger: TestLedger;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
  await addPayments();
});

afterEach(async () => {
  expect(await ledger.audit()).toBeNull();
});

afterAll(() => database.close());

async function addPayments(): Promise<void> {
  const player = await ledger.addPlayer();
  const [parted, paid, late, fee] = [newPaymentId(), newPaymentId(), newPaymentId(), newPaymentId()];
  await ledger.deposit(parted, player, naira(10));
  await ledger.takePart(parted, 100_001n);
  await ledger.reverseDeposit(parted);
  await ledger.withdraw(paid, player, naira(10));
  await ledger.paid(paid);
  await ledger.fee(fee, naira(1));
  await ledger.withdrawUnplayed(late, player, naira(10), naira(1));
  await ledger.giveBack(late);
  await ledger.paidLate(late);
}

async function forge(
  tx: Tx,
  kind: JournalEntryKind,
  source: string,
  postings: readonly Posting[],
  details: JournalEntry["details"] = {},
): Promise<void> {
  expect(await saveJournalEntry(tx, { kind, source, settledGame: null, details, postings }, at)).not.toBeNull();
}

const ten = 10_000_000n;
const naira10 = { kobo: Number(naira(10)), rateKobo: 30_600 };
const line = (account: Posting["account"], amount: bigint): Posting => ({ account, amount: toCoins(amount) });
const newWallet = async () => walletOf(await ledger.addPlayer());
const CLEARING = platformAccount("withdrawal_clearing");
const FEES = platformAccount("provider_fees");
const OUTSIDE = platformAccount("deposit_clearing");

async function auditAfter(act: (tx: Tx) => Promise<unknown>): Promise<BrokenFinding | null> {
  let finding: BrokenFinding | null = null;
  const undone = new Error("undone");
  const work = transact(database, async (tx) => {
    await act(tx);
    finding = await audit(tx, ledgerInvariants);
    throw undone;
  });
  await expect(work).rejects.toBe(undone);
  return finding;
}

test.each<[string, RegExp, (tx: Tx) => Promise<unknown>]>([
  [
    "a withdrawal that takes less than its naira are worth",
    /are worth its naira/,
    async (tx) =>
      await forge(tx, "withdrawal", newPaymentId(), [line(await newWallet(), -1n), line(CLEARING, 1n)], naira10),
  ],
  [
    "a withdrawal that says a fee and bears none",
    /are worth its naira/,
    async (tx) => {
      const lines = [line(await newWallet(), -ten), line(CLEARING, ten)];
      await forge(tx, "withdrawal", newPaymentId(), lines, { ...naira10, feeKobo: 5_000 });
    },
  ],
  [
    "a fee that is not what its naira are worth",
    /are worth its naira/,
    (tx) => forge(tx, "provider_fee", "fee", [line(FEES, -1n), line(OUTSIDE, 1n)], naira10),
  ],
  [
    "a deposit taken back that was never credited",
    /follow its acceptance/,
    async (tx) =>
      await forge(tx, "deposit_taken", `${newPaymentId()}:2`, [line(await newWallet(), -ten), line(OUTSIDE, ten)]),
  ],
  [
    "a withdrawal returned that was never accepted",
    /follow its acceptance/,
    async (tx) =>
      await forge(tx, "withdrawal_return", `${newPaymentId()}:2`, [line(OUTSIDE, -ten), line(await newWallet(), ten)]),
  ],
  [
    "a withdrawal paid into a wallet",
    /its kind allows/,
    async (tx) =>
      await forge(tx, "withdrawal_paid", newPaymentId(), [line(CLEARING, -ten), line(await newWallet(), ten)]),
  ],
  [
    "a closing that leaves a kobo or more",
    /worth less than one kobo/,
    async (tx) => {
      const lines = [line(await newWallet(), -33n), line(platformAccount("rounding"), 33n)];
      await forge(tx, "closing_remainder", "closing", lines, { rateKobo: 30_600 });
    },
  ],
  [
    "a debt that another player repays",
    /its debtor's wallet/,
    async (tx) => {
      const [gone, owing] = [newPaymentId(), await ledger.addPlayer(toCoins(0n))];
      await ledger.deposit(gone, owing, naira(20));
      await ledger.withdraw(newPaymentId(), owing, naira(20));
      await ledger.reverseDeposit(gone);
      await forge(tx, "debt_repayment", "x", [line(await newWallet(), -ten), line(debtsOf(owing), ten)]);
    },
  ],
  [
    "a player who owes and has coins",
    /has an empty wallet/,
    async (tx) => {
      const player = await ledger.addPlayer();
      await openAccount(tx, debtsOf(player), at);
      const id = newPaymentId();
      await forge(tx, "correction", `${id}:1`, [line(debtsOf(player), -ten), line(OUTSIDE, ten)]);
    },
  ],
  [
    "a loss above zero",
    /never above zero/,
    (tx) =>
      forge(tx, "correction", `${newPaymentId()}:1`, [
        line(OUTSIDE, -1_000n * ten),
        line(platformAccount("provider_loss"), 1_000n * ten),
      ]),
  ],
])("finds %s", async (_name, invariant, act) => {
  expect((await auditAfter(act))?.name).toMatch(invariant);
});

test("a payment's second credit and second payout are refused by the database", async () => {
  const [id, player] = [newPaymentId(), await ledger.addPlayer()];
  await ledger.deposit(id, player, toKobo(500_000n));
  const lines = [line(OUTSIDE, -ten), line(walletOf(player), ten)];
  const again = { kind: "deposit", source: id, settledGame: null, details: {}, postings: lines } as const;
  expect(await transact(database, (tx) => saveJournalEntry(tx, again, at))).toBeNull();
});
