import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, toKobo } from "@holo/kernel/money.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database, Tx } from "../../platform/database/database.ts";
import { audit, type BrokenFinding } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import {
  type AccountKey,
  debtsOf,
  type JournalEntry,
  type JournalEntryKind,
  platformAccount,
  walletOf,
} from "../journal/journal-entry.ts";
import { saveJournalEntry } from "../journal/journal-store.ts";
import { at, makeTestLedger, naira, newGameId, newPaymentId, type TestLedger } from "../testing/test-ledger.ts";
import { ledgerInvariants } from "./audit.ts";

let database: Database;
let ledger: TestLedger;
let debtor: PlayerId;

beforeAll(async () => {
  database = await createTestDatabase();
  ledger = makeTestLedger(database);
  debtor = await addPayments();
});

afterEach(async () => {
  expect(await ledger.audit()).toBeNull();
});

afterAll(() => database.close());

async function addPayments(): Promise<PlayerId> {
  const [gameId, player, rival] = [newGameId(), await ledger.addPlayer(), await ledger.addPlayer()];
  await ledger.stake(gameId, 1, player);
  await ledger.stake(gameId, 2, rival);
  await ledger.draw(gameId);
  const [reversed, paid, returned, late, back, held, revenue] = Array.from({ length: 7 }, newPaymentId) as [
    PaymentId,
    PaymentId,
    PaymentId,
    PaymentId,
    PaymentId,
    PaymentId,
    PaymentId,
  ];
  await ledger.deposit(newPaymentId(), player, toKobo(500_000n));
  await ledger.deposit(reversed, player, toKobo(500_000n));
  await ledger.reverseDeposit(reversed);
  const parted = newPaymentId();
  await ledger.deposit(parted, player, naira(10));
  await ledger.sendBack(parted, 0n, 100_001n, "player");
  await ledger.sendBack(parted, 100_001n, 200_000n, "platform");
  await ledger.sendBack(parted, 200_000n, naira(10), "player");
  for (const paymentId of [paid, returned, held]) await ledger.withdraw(paymentId, player, naira(10));
  for (const paymentId of [late, back]) await ledger.withdrawUnplayed(paymentId, player, naira(10), naira(1));
  for (const paymentId of [paid, back]) await ledger.paid(paymentId);
  for (const paymentId of [returned, late]) await ledger.giveBack(paymentId);
  await ledger.paidLate(late);
  await ledger.cameBack(back);
  await ledger.fee(paid, naira(1));
  await ledger.withdrawRevenue(revenue, naira(0.5));
  const [owing, gone] = [await ledger.addPlayer(toCoins(0n)), newPaymentId()];
  await ledger.deposit(gone, owing, naira(20));
  await ledger.withdraw(newPaymentId(), owing, naira(20));
  await ledger.reverseDeposit(gone);
  await ledger.deposit(newPaymentId(), owing, naira(5));
  return owing;
}

/** Posts a balanced and hashed entry that no decision produced. */
async function forge(
  tx: Tx,
  kind: JournalEntryKind,
  source: string,
  from: AccountKey,
  to: AccountKey,
  amount: Coins,
  details: JournalEntry["details"] = {},
) {
  const postings = [
    { account: from, amount: toCoins(-amount) },
    { account: to, amount },
  ];
  expect(await saveJournalEntry(tx, { kind, source, settledGame: null, details, postings }, at)).not.toBeNull();
}

const CLEARING = platformAccount("withdrawal_clearing");
const OUTSIDE = platformAccount("deposit_clearing");
const ten = toCoins(10_000_000n);
const naira10 = { kobo: Number(naira(10)), rateKobo: 30_600 };

async function addHold(): Promise<{ paymentId: PaymentId; player: PlayerId }> {
  const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
  await ledger.withdraw(paymentId, player, naira(10));
  return { paymentId, player };
}

/** Forges ten refunded coins of a deposit of twenty, borne by its player by default. */
async function sendBack(
  tx: Tx,
  { goneKobo }: { readonly goneKobo: number },
  from: (paymentId: PaymentId, player: PlayerId) => readonly [string, AccountKey],
): Promise<PaymentId> {
  const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
  await ledger.deposit(paymentId, player, toKobo(612_000n));
  const [source, account] = from(paymentId, player);
  const details = { kobo: goneKobo, goneKobo, bearer: "player", rateKobo: 30_600 };
  await forge(tx, "deposit_sent_back", source, account, OUTSIDE, ten, details);
  return paymentId;
}

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
    "a deposit of more coins than its naira are worth",
    /are worth its naira/,
    async (tx) => {
      const wallet = walletOf(await ledger.addPlayer());
      await forge(tx, "deposit", newPaymentId(), OUTSIDE, wallet, toCoins(ten + 1n), naira10);
    },
  ],
  [
    "a deposit that does not say what its naira are",
    /are worth its naira/,
    async (tx) => await forge(tx, "deposit", newPaymentId(), OUTSIDE, walletOf(await ledger.addPlayer()), ten),
  ],
  [
    "a withdrawal that takes less than its naira are worth",
    /are worth its naira/,
    async (tx) =>
      await forge(
        tx,
        "withdrawal_hold",
        newPaymentId(),
        walletOf(await ledger.addPlayer()),
        CLEARING,
        toCoins(1n),
        naira10,
      ),
  ],
  [
    "a fee that is not what its naira are worth",
    /are worth its naira/,
    async (tx) =>
      await forge(tx, "provider_fee", "fee", platformAccount("provider_fees"), OUTSIDE, toCoins(1n), naira10),
  ],
  [
    "a fee of a withdrawal that has none",
    /fee is charged once/,
    async (tx) => {
      const { paymentId, player } = await addHold();
      await forge(tx, "withdrawal_fee", paymentId, walletOf(player), platformAccount("provider_fees"), ten, naira10);
    },
  ],
  [
    "a fee of a withdrawal that nobody made",
    /fee is charged once/,
    async (tx) => {
      const wallet = walletOf(await ledger.addPlayer());
      await forge(tx, "withdrawal_fee", newPaymentId(), wallet, platformAccount("provider_fees"), ten, naira10);
    },
  ],
  [
    "a withdrawal that says a fee and bears none",
    /fee is charged once/,
    async (tx) => {
      const wallet = walletOf(await ledger.addPlayer());
      const details = { ...naira10, feeKobo: 5_000, unplayed: 1 };
      await forge(tx, "withdrawal_hold", newPaymentId(), wallet, CLEARING, ten, details);
    },
  ],
  [
    "a fee that another player bears",
    /fee is charged once/,
    async (tx) => {
      const [paymentId, other] = [newPaymentId(), walletOf(await ledger.addPlayer())];
      const details = { ...naira10, feeKobo: Number(naira(10)), unplayed: 1 };
      const wallet = walletOf(await ledger.addPlayer());
      await forge(tx, "withdrawal_hold", paymentId, wallet, CLEARING, ten, details);
      await forge(tx, "withdrawal_fee", paymentId, other, platformAccount("provider_fees"), ten, naira10);
    },
  ],
  [
    "a fee that came back without its coins",
    /fee is charged once/,
    async (tx) => {
      const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
      await ledger.withdrawUnplayed(paymentId, player, naira(10), naira(10));
      await forge(
        tx,
        "withdrawal_fee_return",
        paymentId,
        platformAccount("provider_fees"),
        walletOf(player),
        ten,
        naira10,
      );
    },
  ],
  [
    "coins that came back without their fee",
    /fee is charged once/,
    async (tx) => {
      const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
      await ledger.withdrawUnplayed(paymentId, player, naira(10), naira(10));
      await forge(tx, "withdrawal_return", paymentId, CLEARING, walletOf(player), ten, naira10);
    },
  ],
  [
    "what went back of a deposit that nobody made",
    /booked once/,
    async (tx) => {
      const wallet = walletOf(await ledger.addPlayer());
      await forge(tx, "deposit_sent_back", `${newPaymentId()}:3060`, wallet, OUTSIDE, ten);
    },
  ],
  [
    "what went back booked as more than it is worth",
    /booked once/,
    async (tx) =>
      await sendBack(tx, { goneKobo: 3060 }, (paymentId, player) => [`${paymentId}:3060`, walletOf(player)]),
  ],
  [
    "what went back taken from another player",
    /booked once/,
    async (tx) => {
      const other = walletOf(await ledger.addPlayer());
      await sendBack(tx, { goneKobo: 306_000 }, (paymentId) => [`${paymentId}:306000`, other]);
    },
  ],
  [
    "what went back booked twice",
    /booked once/,
    async (tx) => {
      const paymentId = await sendBack(tx, { goneKobo: 306_000 }, (id, player) => [`${id}:306000`, walletOf(player)]);
      const details = { kobo: 306_000, goneKobo: 306_000, bearer: "platform", rateKobo: 30_600 };
      await forge(
        tx,
        "deposit_sent_back",
        `${paymentId}:306000.0`,
        platformAccount("provider_loss"),
        OUTSIDE,
        ten,
        details,
      );
    },
  ],
  [
    "what went back beside the whole that was taken back",
    /not reversed in full as well/,
    async (tx) => {
      const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
      await ledger.deposit(paymentId, player, toKobo(612_000n));
      await ledger.reverseDeposit(paymentId);
      const details = { kobo: 306_000, goneKobo: 306_000, bearer: "player", rateKobo: 30_600 };
      await forge(tx, "deposit_sent_back", `${paymentId}:306000`, walletOf(player), OUTSIDE, ten, details);
    },
  ],
  [
    "a withdrawal paid that nobody made",
    /neither paid nor returned/,
    async (tx) => await forge(tx, "withdrawal_paid", newPaymentId(), CLEARING, OUTSIDE, ten),
  ],
  [
    "a withdrawal paid and given back",
    /neither paid nor returned/,
    async (tx) => {
      const { paymentId, player } = await addHold();
      await addHold();
      await ledger.paid(paymentId);
      await forge(tx, "withdrawal_return", paymentId, CLEARING, walletOf(player), ten);
    },
  ],
  [
    "a withdrawal given back to another player",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await forge(tx, "withdrawal_return", paymentId, CLEARING, walletOf(await ledger.addPlayer()), ten);
    },
  ],
  [
    "a withdrawal that came back without having left",
    /ends once/,
    async (tx) => {
      const { paymentId, player } = await addHold();
      await forge(tx, "withdrawal_return", `${paymentId}:reversed`, OUTSIDE, walletOf(player), ten);
    },
  ],
  [
    "a loss for a withdrawal that was not given back",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await ledger.paid(paymentId);
      await forge(tx, "correction", `${paymentId}:late-success`, platformAccount("provider_loss"), OUTSIDE, ten);
    },
  ],
  [
    "a loss larger than the withdrawal",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await ledger.giveBack(paymentId);
      const more = toCoins(ten + 1n);
      await forge(tx, "correction", `${paymentId}:late-success`, platformAccount("provider_loss"), OUTSIDE, more);
    },
  ],
  [
    "an excess of a transfer that was not paid",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      const details = { ...naira10, sentKobo: Number(naira(20)) };
      await forge(tx, "correction", `${paymentId}:excess`, platformAccount("provider_loss"), OUTSIDE, ten, details);
    },
  ],
  [
    "an excess that is not what was sent beyond the withdrawal",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await ledger.paid(paymentId);
      const details = { ...naira10, sentKobo: Number(naira(19)) };
      await forge(tx, "correction", `${paymentId}:excess`, platformAccount("provider_loss"), OUTSIDE, ten, details);
    },
  ],
  [
    "an excess that stays although its transfer came back",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await ledger.paid(paymentId);
      await ledger.cameBack(paymentId);
      const details = { ...naira10, sentKobo: Number(naira(20)) };
      await forge(tx, "correction", `${paymentId}:excess`, platformAccount("provider_loss"), OUTSIDE, ten, details);
    },
  ],
  [
    "a correction of no kind we know",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await forge(tx, "correction", `${paymentId}:because`, platformAccount("provider_loss"), OUTSIDE, ten);
    },
  ],
  [
    "revenue given back for a player's withdrawal",
    /ends once/,
    async (tx) => {
      const { paymentId } = await addHold();
      await forge(tx, "revenue_return", paymentId, CLEARING, platformAccount("revenue"), ten);
    },
  ],
  [
    "a reversal of a deposit that was never made",
    /taken back in full/,
    async (tx) => await forge(tx, "deposit_reversal", newPaymentId(), walletOf(await ledger.addPlayer()), OUTSIDE, ten),
  ],
  [
    "a reversal at the expense of another player",
    /taken back in full/,
    async (tx) => {
      const [paymentId, player] = [newPaymentId(), await ledger.addPlayer()];
      await ledger.deposit(paymentId, player, naira(10));
      await forge(tx, "deposit_reversal", paymentId, walletOf(await ledger.addPlayer()), OUTSIDE, ten);
    },
  ],
  [
    "a debt repaid by another player",
    /its debtor's wallet/,
    async (tx) => {
      await forge(tx, "debt_repayment", "kind", walletOf(await ledger.addPlayer()), debtsOf(debtor), ten);
    },
  ],
  [
    "a player who owes and has coins",
    /has an empty wallet/,
    async (tx) => {
      await forge(tx, "deposit", newPaymentId(), OUTSIDE, walletOf(debtor), ten, naira10);
    },
  ],
  [
    "a debt repaid twice",
    /were never above zero/,
    async (tx) => {
      const player = await ledger.addPlayer();
      const lent = newPaymentId();
      await ledger.deposit(lent, player, naira(500));
      await ledger.withdraw(newPaymentId(), player, naira(1_000));
      await ledger.reverseDeposit(lent);
      await ledger.deposit(newPaymentId(), player, naira(600));
      await forge(tx, "debt_repayment", "once more", walletOf(player), debtsOf(player), ten);
    },
  ],
  [
    "more revenue withdrawn than was earned",
    /below zero/,
    async (tx) => {
      const [paymentId, kobo] = [newPaymentId(), Number(naira(1_000))];
      const details = { kobo, rateKobo: 30_600 };
      await forge(
        tx,
        "revenue_withdrawal",
        paymentId,
        platformAccount("revenue"),
        CLEARING,
        toCoins(1_000_000_000n),
        details,
      );
    },
  ],
])("finds %s", async (_what, name, act) => {
  expect(await auditAfter(act)).toEqual({ name: expect.stringMatching(name), found: expect.any(String) });
});

test("finds nothing in any state that payments can reach", async () => {
  expect(await auditAfter(async () => undefined)).toBeNull();
});
