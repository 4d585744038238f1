import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import {
  type Coins,
  type Kobo,
  subtractCoins,
  toCoins,
  toCoinsIn,
  toCoinsOut,
  toKobo,
  ZERO_COINS,
} from "@holo/kernel/money.ts";
import {
  debtsOf,
  type JournalEntry,
  type JournalEntryKind,
  makeJournalEntry,
  platformAccount,
  walletOf,
} from "../journal/journal-entry.ts";

/** Kobo at the exchange rate the payment began with (ruling 4), and the provider's reference. */
export interface PaymentAmount {
  readonly paymentId: PaymentId;
  readonly reference: string;
  readonly kobo: Kobo;
  /** Kobo for one holocoin. */
  readonly rateKobo: number;
}

/** A deposit, credited rounded up. */
export type DepositOrder = PaymentAmount & { readonly playerId: PlayerId };
export type ProviderFeeOrder = PaymentAmount;

export interface PaymentJournalEntry {
  readonly kind: JournalEntryKind;
  readonly source: string;
  readonly details: JournalEntry["details"];
  readonly postings: JournalEntry["postings"];
}

const DEPOSIT_CLEARING = platformAccount("deposit_clearing");

export function toDetails({ paymentId, reference, kobo, rateKobo }: PaymentAmount): JournalEntry["details"] {
  return { paymentId, reference, kobo: Number(kobo), rateKobo };
}

/**
 * New coins against the provider's clearing account. The platform pays for the rounding (ruling 3).
 */
export function decideDepositEntry(order: DepositOrder): JournalEntry {
  const [credit, worth] = [toCoinsIn(order.kobo, order.rateKobo), toCoinsOut(order.kobo, order.rateKobo)];
  assert(credit > ZERO_COINS, `deposit of ${order.kobo} kobo`);
  return makeJournalEntry({
    kind: "deposit",
    source: order.paymentId,
    settledGame: null,
    details: toDetails(order),
    postings: [
      { account: DEPOSIT_CLEARING, amount: toCoins(-worth) },
      { account: platformAccount("rounding"), amount: subtractCoins(worth, credit) },
      { account: walletOf(order.playerId), amount: credit },
    ],
  });
}

/** Reverses a whole deposit: the wallet gives what it has, the rest becomes a debt (ruling 9). */
export function decideReversalEntry(deposit: PaymentJournalEntry, balance: Coins): JournalEntry {
  const credit = deposit.postings.find(({ account }) => account.kind === "wallet");
  assert(credit !== undefined, `deposit ${deposit.source} credited no wallet`);
  const owner = credit.account.owner as PlayerId;
  const taken = balance < credit.amount ? balance : credit.amount;
  const others = deposit.postings.filter((posting) => posting !== credit);
  return makeJournalEntry({
    kind: "deposit_reversal",
    source: deposit.source,
    settledGame: null,
    details: deposit.details,
    postings: [
      { account: walletOf(owner), amount: toCoins(-taken) },
      { account: debtsOf(owner), amount: subtractCoins(taken, credit.amount) },
      ...others.map(({ account, amount }) => ({ account, amount: toCoins(-amount) })),
    ],
  });
}

export function decideDepositReturnEntry(deposit: PaymentJournalEntry): JournalEntry {
  return makeJournalEntry({
    kind: "deposit_return",
    source: deposit.source,
    settledGame: null,
    details: deposit.details,
    postings: deposit.postings,
  });
}

type Bearer = "player" | "platform";

export interface SentBackOrder {
  /** The part of the refund allocated before, in total. */
  readonly allocatedKobo: Kobo;
  /** Refunded so far, in total: more than `allocatedKobo`, and at most the deposit. */
  readonly refundedKobo: Kobo;
  readonly bearer: Bearer;
}

/**
 * Allocates a refund of a credited deposit to the player or to the platform's loss. Parts are
 * rounded down and the last takes the rest, so that together they equal the deposit.
 */
export function decideSentBackEntry(deposit: PaymentJournalEntry, order: SentBackOrder, balance: Coins): JournalEntry {
  const { allocatedKobo, refundedKobo, bearer } = order;
  const [whole, rate] = [BigInt(deposit.details.kobo ?? 0), Number(deposit.details.rateKobo)];
  assert(
    allocatedKobo < refundedKobo && refundedKobo <= whole,
    `${refundedKobo} of ${whole} kobo after ${allocatedKobo}`,
  );
  const credit = deposit.postings.find(({ account }) => account.kind === "wallet");
  assert(credit !== undefined, `deposit ${deposit.source} credited no wallet`);
  const worth = subtractCoins(toCoinsOut(refundedKobo, rate), toCoinsOut(allocatedKobo, rate));
  const owed = refundedKobo === whole ? subtractCoins(credit.amount, toCoinsOut(allocatedKobo, rate)) : worth;
  const taken = balance < owed ? balance : owed;
  const owner = credit.account.owner as PlayerId;
  return makeJournalEntry({
    kind: "deposit_sent_back",
    source: `${deposit.source}:${refundedKobo}`,
    settledGame: null,
    details: { ...deposit.details, kobo: Number(refundedKobo - allocatedKobo), goneKobo: Number(refundedKobo), bearer },
    postings: [
      { account: DEPOSIT_CLEARING, amount: worth },
      ...(bearer === "platform"
        ? [{ account: platformAccount("provider_loss"), amount: toCoins(-worth) }]
        : [
            { account: walletOf(owner), amount: toCoins(-taken) },
            { account: debtsOf(owner), amount: subtractCoins(taken, owed) },
            { account: platformAccount("rounding"), amount: subtractCoins(owed, worth) },
          ]),
    ],
  });
}

export interface RemainderOrder {
  /** Names the closing, so that its remainder is posted once. */
  readonly source: string;
  readonly playerId: PlayerId;
  readonly amount: Coins;
  readonly rateKobo: number;
}

/** Less than one kobo's worth cannot be paid out. It goes back to the rounding account. */
export function decideClosingRemainderEntry({ source, playerId, amount, rateKobo }: RemainderOrder): JournalEntry {
  assert(amount > ZERO_COINS && amount < toCoinsIn(toKobo(1n), rateKobo), `remainder of ${amount} at ${rateKobo}`);
  return makeJournalEntry({
    kind: "closing_remainder",
    source,
    settledGame: null,
    details: { rateKobo },
    postings: [
      { account: walletOf(playerId), amount: toCoins(-amount) },
      { account: platformAccount("rounding"), amount },
    ],
  });
}

/** Repays debts from what an empty wallet received. */
export function decideDebtRepaymentEntry(
  cause: JournalEntry,
  { playerId, balance, debt }: { readonly playerId: PlayerId; readonly balance: Coins; readonly debt: Coins },
): JournalEntry {
  const repaid = balance < debt ? balance : debt;
  return makeJournalEntry({
    kind: "debt_repayment",
    source: `${cause.kind}:${cause.source}:${playerId}`,
    settledGame: null,
    details: { ...cause.details, cause: cause.kind },
    postings: [
      { account: walletOf(playerId), amount: toCoins(-repaid) },
      { account: debtsOf(playerId), amount: repaid },
    ],
  });
}

/** The provider's fee lowers the clearing account. The platform bears it (ruling 10). */
export function decideProviderFeeEntry(order: ProviderFeeOrder): JournalEntry {
  const amount = toCoinsIn(order.kobo, order.rateKobo);
  assert(amount > ZERO_COINS, `provider's fee of ${order.kobo} kobo`);
  return makeJournalEntry({
    kind: "provider_fee",
    source: `${order.paymentId}:fee`,
    settledGame: null,
    details: toDetails(order),
    postings: [
      { account: platformAccount("provider_fees"), amount: toCoins(-amount) },
      { account: DEPOSIT_CLEARING, amount },
    ],
  });
}
