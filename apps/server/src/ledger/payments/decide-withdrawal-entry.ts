import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import {
  addCoins,
  type Coins,
  type Kobo,
  toCoins,
  toCoinsIn,
  toCoinsOut,
  toKobo,
  ZERO_COINS,
} from "@holo/kernel/money.ts";
import { toFeeCoins } from "@holo/protocol/payments/withdrawal-terms.ts";
import {
  type AccountKey,
  type AccountKind,
  type JournalEntry,
  type JournalEntryKind,
  makeJournalEntry,
  platformAccount,
  walletOf,
} from "../journal/journal-entry.ts";
import { type PaymentAmount, type PaymentJournalEntry, toDetails } from "./decide-deposit-entry.ts";

export interface WithdrawalOrder extends PaymentAmount {
  readonly playerId: PlayerId;
  /** The part that was never staked, and the provider's fees that it bears (ruling 37). */
  readonly unplayed?: { readonly coins: Coins; readonly feeKobo: Kobo };
}

export type RevenueOrder = PaymentAmount;

const REVERSED = ":reversed";
const LATE_SUCCESS = ":late-success";
const EXCESS = ":excess";
const EXCESS_REVERSED = ":excess-reversed";
const DEPOSIT_CLEARING = platformAccount("deposit_clearing");
const WITHDRAWAL_CLEARING = platformAccount("withdrawal_clearing");
const PROVIDER_FEES = platformAccount("provider_fees");
const PROVIDER_LOSS = platformAccount("provider_loss");

export function decideWithdrawalHoldEntry(order: WithdrawalOrder): JournalEntry {
  const { unplayed, playerId } = order;
  const facts = unplayed === undefined ? {} : { unplayed: Number(unplayed.coins), feeKobo: Number(unplayed.feeKobo) };
  return hold("withdrawal_hold", order, walletOf(playerId), facts);
}

/** The player's part of the provider's fees in both directions; null: none. */
export function decideWithdrawalFeeEntry(order: WithdrawalOrder): JournalEntry | null {
  const { paymentId, kobo, rateKobo, unplayed } = order;
  const amount = unplayed === undefined ? ZERO_COINS : toFeeCoins({ kobo, feeKobo: unplayed.feeKobo, rateKobo });
  if (unplayed === undefined || amount === ZERO_COINS) return null;
  return makeJournalEntry({
    kind: "withdrawal_fee",
    source: paymentId,
    settledGame: null,
    details: toDetails({ ...order, kobo: unplayed.feeKobo }),
    postings: [
      { account: walletOf(order.playerId), amount: toCoins(-amount) },
      { account: PROVIDER_FEES, amount },
    ],
  });
}

export function decideFeeReturnEntry(entries: readonly PaymentJournalEntry[]): JournalEntry | null {
  const fee = entries.find(({ kind }) => kind === "withdrawal_fee");
  if (fee === undefined) return null;
  const postings = fee.postings.map(({ account, amount }) => ({ account, amount: toCoins(-amount) })).reverse();
  return makeJournalEntry({ ...fee, kind: "withdrawal_fee_return", settledGame: null, postings });
}

export function decideRevenueWithdrawalEntry(order: RevenueOrder): JournalEntry {
  return hold("revenue_withdrawal", order, platformAccount("revenue"));
}

function hold(
  kind: "withdrawal_hold" | "revenue_withdrawal",
  order: PaymentAmount,
  from: AccountKey,
  facts: JournalEntry["details"] = {},
): JournalEntry {
  const amount = toCoinsOut(order.kobo, order.rateKobo);
  assert(amount > ZERO_COINS, `${kind} of ${order.kobo} kobo`);
  return makeJournalEntry({
    kind,
    source: order.paymentId,
    settledGame: null,
    details: { ...toDetails(order), ...facts },
    postings: [
      { account: from, amount: toCoins(-amount) },
      { account: WITHDRAWAL_CLEARING, amount },
    ],
  });
}

export interface Hold {
  readonly entry: PaymentJournalEntry;
  readonly from: AccountKey;
  readonly amount: Coins;
}

export function findHold(entries: readonly PaymentJournalEntry[]): Hold | null {
  const entry = entries.find(({ kind }) => kind === "withdrawal_hold" || kind === "revenue_withdrawal");
  const taken = entry?.postings.find(({ amount }) => amount < ZERO_COINS);
  if (entry === undefined || taken === undefined) return null;
  return { entry, from: taken.account, amount: toCoins(-taken.amount) };
}

type WithdrawalStage =
  | "held"
  /** Back with their owner; never sent. */
  | "returned"
  | "paid"
  /** Paid, and back with their owner. */
  | "reversed"
  /** Back with their owner, and sent all the same: the platform's loss. */
  | "lost"
  /** As `lost`, and later reversed: no loss. */
  | "recovered";

function toWithdrawalStage(entries: readonly PaymentJournalEntry[]): WithdrawalStage {
  const { source = "" } = findHold(entries)?.entry ?? {};
  const has = (kind: JournalEntryKind, step = "") =>
    entries.some((entry) => entry.kind === kind && entry.source === source + step);
  const isPaid = has("withdrawal_paid");
  const step = isPaid ? REVERSED : "";
  if (!(has("withdrawal_return", step) || has("revenue_return", step))) return isPaid ? "paid" : "held";
  if (!has("correction", LATE_SUCCESS)) return isPaid ? "reversed" : "returned";
  return has("correction", REVERSED) ? "recovered" : "lost";
}

/** The provider's report about a withdrawal. The last two contradict an earlier outcome. */
export type TransferOutcome = "not_sent" | "sent" | "sent_late" | "came_back";

/** A new entry, no effect because it was posted before, or a conflict with an earlier report. */
type Transition =
  | ((hold: Hold, sentKobo: Kobo | null, entries: readonly PaymentJournalEntry[]) => JournalEntry)
  | "already_posted"
  | "conflict";

const TRANSITIONS: Readonly<Record<TransferOutcome, Readonly<Record<WithdrawalStage, Transition>>>> = {
  not_sent: {
    held: decideReturn,
    returned: "already_posted",
    lost: "already_posted",
    recovered: "already_posted",
    paid: "conflict",
    reversed: "conflict",
  },
  sent: {
    held: decidePaid,
    paid: "already_posted",
    reversed: "already_posted",
    returned: "conflict",
    lost: "conflict",
    recovered: "conflict",
  },
  sent_late: {
    returned: decideLateSuccess,
    reversed: decideLateSuccess,
    lost: "already_posted",
    recovered: "already_posted",
    held: "conflict",
    paid: "conflict",
  },
  came_back: {
    paid: decideLateReversal,
    reversed: "already_posted",
    lost: decideRecovery,
    recovered: "already_posted",
    held: "conflict",
    returned: "conflict",
  },
};

/** Decides on a report for a hold. `entries` is everything posted for the payment. */
export function decideWithdrawalEntry(
  hold: Hold,
  { outcome, sentKobo }: { readonly outcome: TransferOutcome; readonly sentKobo: Kobo | null },
  entries: readonly PaymentJournalEntry[],
): JournalEntry | "already_posted" | "conflict" {
  const answer = TRANSITIONS[outcome][toWithdrawalStage(entries)];
  return typeof answer === "function" ? answer(hold, sentKobo, entries) : answer;
}

function decideReturn(held: Hold): JournalEntry {
  return moveHeld(held, { kind: toReturnKind(held), step: "", from: WITHDRAWAL_CLEARING, to: held.from });
}

function decidePaid(held: Hold): JournalEntry {
  return moveHeld(held, { kind: "withdrawal_paid", step: "", from: WITHDRAWAL_CLEARING, to: DEPOSIT_CLEARING });
}

function decideLateReversal(held: Hold): JournalEntry {
  return moveHeld(held, { kind: toReturnKind(held), step: REVERSED, from: DEPOSIT_CLEARING, to: held.from });
}

/**
 * The transfer succeeded after its coins had been returned: the platform bears the loss. `sentKobo`
 * is what was sent if it differs from the hold.
 */
function decideLateSuccess(held: Hold, sentKobo: Kobo | null): JournalEntry {
  const sent = sentKobo === null ? held : withSent(held, sentKobo, sentKobo);
  return moveHeld(sent, { kind: "correction", step: LATE_SUCCESS, from: PROVIDER_LOSS, to: DEPOSIT_CLEARING });
}

function decideRecovery(held: Hold, _sentKobo: Kobo | null, entries: readonly PaymentJournalEntry[]): JournalEntry {
  return undo(
    entries.find(({ kind, source }) => kind === "correction" && source.endsWith(LATE_SUCCESS)),
    held,
    REVERSED,
  );
}

/** What the provider sent beyond the hold is the platform's loss; null: nothing. */
export function decideExcessEntry(held: Hold, sentKobo: Kobo): JournalEntry | null {
  const excessKobo = sentKobo - BigInt(held.entry.details.kobo ?? 0);
  if (excessKobo <= 0n) return null;
  const excess = withSent(held, sentKobo, toKobo(excessKobo));
  return moveHeld(excess, { kind: "correction", step: EXCESS, from: PROVIDER_LOSS, to: DEPOSIT_CLEARING });
}

/** A transfer that came back brings the excess back too; null: it had none. */
export function decideExcessReturnEntry(held: Hold, entries: readonly PaymentJournalEntry[]): JournalEntry | null {
  const excess = entries.find(({ kind, source }) => kind === "correction" && source.endsWith(EXCESS));
  return excess === undefined ? null : undo(excess, held, EXCESS_REVERSED);
}

function withSent({ entry, from }: Hold, sentKobo: Kobo, lostKobo: Kobo): Hold {
  const amount = toCoinsIn(lostKobo, Number(entry.details.rateKobo));
  return { entry: { ...entry, details: { ...entry.details, sentKobo: Number(sentKobo) } }, from, amount };
}

function undo(loss: PaymentJournalEntry | undefined, held: Hold, step: string): JournalEntry {
  const lost = loss?.postings.find(({ amount }) => amount > ZERO_COINS);
  assert(loss !== undefined && lost !== undefined, `withdrawal ${held.entry.source} lost nothing`);
  const entry = { ...held.entry, details: loss.details };
  const undone = { entry, from: held.from, amount: lost.amount };
  return moveHeld(undone, { kind: "correction", step, from: DEPOSIT_CLEARING, to: PROVIDER_LOSS });
}

function toReturnKind({ from }: Hold): "withdrawal_return" | "revenue_return" {
  return from.kind === "wallet" ? "withdrawal_return" : "revenue_return";
}

function moveHeld(
  { entry, amount }: Hold,
  { kind, step, from, to }: { kind: JournalEntryKind; step: string; from: AccountKey; to: AccountKey },
): JournalEntry {
  return makeJournalEntry({
    kind,
    source: `${entry.source}${step}`,
    settledGame: null,
    details: entry.details,
    postings: [
      { account: from, amount: toCoins(-amount) },
      { account: to, amount },
    ],
  });
}

/**
 * Revenue that may leave: platform fees, less provider fees, losses, rounding and debts, so that
 * the provider always holds what players are owed (ruling 10). Opening coins do not count.
 */
export function decideRevenueLeft(totals: ReadonlyMap<AccountKind, Coins>): Coins {
  const fees = totals.get("provider_fees") ?? ZERO_COINS;
  const costs = (["provider_loss", "rounding", "debts"] as const).reduce(
    (sum, account) => addCoins(sum, totals.get(account) ?? ZERO_COINS),
    fees < ZERO_COINS ? fees : ZERO_COINS,
  );
  const revenue = totals.get("revenue") ?? ZERO_COINS;
  const left = costs < ZERO_COINS ? addCoins(revenue, costs) : revenue;
  return left > ZERO_COINS ? left : ZERO_COINS;
}
