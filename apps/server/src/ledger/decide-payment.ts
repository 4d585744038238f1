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
import { debtsOf, type Entry, type EntryKind, platformAccount, toEntry, walletOf } from "./entry.ts";

/** Naira at the rate at which the payment was begun (ruling 4), and the name under which the provider knows it. */
export interface Naira {
  readonly paymentId: PaymentId;
  readonly reference: string;
  readonly kobo: Kobo;
  /** Kobo for one holocoin. */
  readonly rateKobo: number;
}

/** What arrived at the provider, to be credited rounded up. */
export type DepositOrder = Naira & { readonly playerId: PlayerId };
/** What the provider kept for a payment. */
export type FeeOrder = Naira;

/** An entry about a payment, as it was posted. */
export interface PaymentEntry {
  readonly kind: EntryKind;
  readonly source: string;
  readonly details: Entry["details"];
  readonly postings: Entry["postings"];
}

const DEPOSIT_CLEARING = platformAccount("deposit_clearing");

/** The naira of a payment, as its entry keeps them. */
export function toDetails({ paymentId, reference, kobo, rateKobo }: Naira): Entry["details"] {
  return { paymentId, reference, kobo: Number(kobo), rateKobo };
}

/** Coins come into being against what the provider holds for us; what rounding adds is the platform's to give (ruling 3). */
export function decideDeposit(order: DepositOrder): Entry {
  const [credit, worth] = [toCoinsIn(order.kobo, order.rateKobo), toCoinsOut(order.kobo, order.rateKobo)];
  assert(credit > ZERO_COINS, `deposit of ${order.kobo} kobo`);
  return toEntry({
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

/** Takes a deposit back whole: from the wallet as far as its balance goes, the rest is owed (ruling 9). */
export function decideDepositReversal(deposit: PaymentEntry, balance: Coins): Entry {
  const credit = deposit.postings.find(({ account }) => account.kind === "wallet");
  assert(credit !== undefined, `deposit ${deposit.source} credited no wallet`);
  const owner = credit.account.owner as PlayerId;
  const taken = balance < credit.amount ? balance : credit.amount;
  const others = deposit.postings.filter((posting) => posting !== credit);
  return toEntry({
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

/** Undoes a reversal: all of what was credited once is the player's again, what they owe repaid from it like from anything else. */
export function decideDepositReturn(deposit: PaymentEntry): Entry {
  return toEntry({
    kind: "deposit_return",
    source: deposit.source,
    settledGame: null,
    details: deposit.details,
    postings: deposit.postings,
  });
}

/** Who bears what of a credited deposit has gone back to who paid it. */
type Bearer = "player" | "platform";

export interface SentBackOrder {
  /** What of the deposit was booked so before, all told. */
  readonly bookedKobo: Kobo;
  /** What is gone by now, all told: more than that, and at most the deposit. */
  readonly goneKobo: Kobo;
  readonly bearer: Bearer;
}

/**
 * What the provider holds no more of a deposit: out of the wallet as far as it goes, the rest owed, or the platform's loss. A part is rounded
 * down, and the last one takes what is left, so that all of them together are the deposit.
 */
export function decideSentBack(deposit: PaymentEntry, order: SentBackOrder, balance: Coins): Entry {
  const { bookedKobo, goneKobo, bearer } = order;
  const [whole, rate] = [BigInt(deposit.details.kobo ?? 0), Number(deposit.details.rateKobo)];
  assert(bookedKobo < goneKobo && goneKobo <= whole, `${goneKobo} of ${whole} kobo after ${bookedKobo}`);
  const credit = deposit.postings.find(({ account }) => account.kind === "wallet");
  assert(credit !== undefined, `deposit ${deposit.source} credited no wallet`);
  const worth = subtractCoins(toCoinsOut(goneKobo, rate), toCoinsOut(bookedKobo, rate));
  const owed = goneKobo === whole ? subtractCoins(credit.amount, toCoinsOut(bookedKobo, rate)) : worth;
  const taken = balance < owed ? balance : owed;
  const owner = credit.account.owner as PlayerId;
  return toEntry({
    kind: "deposit_sent_back",
    source: `${deposit.source}:${goneKobo}`,
    settledGame: null,
    details: { ...deposit.details, kobo: Number(goneKobo - bookedKobo), goneKobo: Number(goneKobo), bearer },
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

/** What is left in the wallet of who closes their account. */
export interface RemainderOrder {
  /** Names the closing, so that it leaves a remainder once. */
  readonly source: string;
  readonly playerId: PlayerId;
  readonly amount: Coins;
  /** Kobo for one holocoin. */
  readonly rateKobo: number;
}

/** Less than a kobo's worth can be paid to nobody: it goes where the rounding of deposits comes from. */
export function decideClosingRemainder({ source, playerId, amount, rateKobo }: RemainderOrder): Entry {
  assert(amount > ZERO_COINS && amount < toCoinsIn(toKobo(1n), rateKobo), `remainder of ${amount} at ${rateKobo}`);
  return toEntry({
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

/** What a wallet that was empty received goes to what its owner owes first. */
export function decideDebtRepayment(
  cause: Entry,
  { playerId, balance, debt }: { readonly playerId: PlayerId; readonly balance: Coins; readonly debt: Coins },
): Entry {
  const repaid = balance < debt ? balance : debt;
  return toEntry({
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

/** The provider's fees lessen what it holds for us; they are the platform's to bear (ruling 10). */
export function decideProviderFee(order: FeeOrder): Entry {
  const amount = toCoinsIn(order.kobo, order.rateKobo);
  assert(amount > ZERO_COINS, `provider's fee of ${order.kobo} kobo`);
  return toEntry({
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
