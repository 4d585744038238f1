import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, type Coins, toCoins, toCoinsOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { type Naira, type PaymentEntry, toDetails } from "./decide-payment.ts";
import {
  type AccountKey,
  type AccountKind,
  type Entry,
  type EntryKind,
  platformAccount,
  toEntry,
  walletOf,
} from "./entry.ts";

/** What the provider is to send, taken rounded down. */
export type WithdrawalOrder = Naira & { readonly playerId: PlayerId };
/** As a withdrawal, out of what the platform earned. */
export type RevenueOrder = Naira;

/** Ends the source of an entry that corrects how a withdrawal had ended. */
const REVERSED = ":reversed";
const LATE_SUCCESS = ":late-success";
const DEPOSIT_CLEARING = platformAccount("deposit_clearing");
const WITHDRAWAL_CLEARING = platformAccount("withdrawal_clearing");
const PROVIDER_LOSS = platformAccount("provider_loss");

export function decideWithdrawalHold(order: WithdrawalOrder): Entry {
  return hold("withdrawal_hold", order, walletOf(order.playerId));
}

export function decideRevenueWithdrawal(order: RevenueOrder): Entry {
  return hold("revenue_withdrawal", order, platformAccount("revenue"));
}

function hold(kind: "withdrawal_hold" | "revenue_withdrawal", order: Naira, from: AccountKey): Entry {
  const amount = toCoinsOut(order.kobo, order.rateKobo);
  assert(amount > ZERO_COINS, `${kind} of ${order.kobo} kobo`);
  return toEntry({
    kind,
    source: order.paymentId,
    settledGame: null,
    details: toDetails(order),
    postings: [
      { account: from, amount: toCoins(-amount) },
      { account: WITHDRAWAL_CLEARING, amount },
    ],
  });
}

/** What a withdrawal's hold took, and from whom. */
export interface Hold {
  readonly entry: PaymentEntry;
  readonly from: AccountKey;
  readonly amount: Coins;
}

/** The hold among what was posted for a payment; null where it holds nothing, being a deposit or nothing yet. */
export function findHold(entries: readonly PaymentEntry[]): Hold | null {
  const entry = entries.find(({ kind }) => kind === "withdrawal_hold" || kind === "revenue_withdrawal");
  const taken = entry?.postings.find(({ amount }) => amount < ZERO_COINS);
  if (entry === undefined || taken === undefined) return null;
  return { entry, from: taken.account, amount: toCoins(-taken.amount) };
}

/** What became of the coins of a withdrawal so far. */
type WithdrawalStage =
  /** On their way. */
  | "held"
  /** Back with their owner, never having left. */
  | "returned"
  /** Gone. */
  | "paid"
  /** Gone, and come back. */
  | "reversed"
  /** Back with their owner, and gone all the same: the platform's loss. */
  | "lost"
  /** The same, and come back: nobody's loss. */
  | "recovered";

function toWithdrawalStage(entries: readonly PaymentEntry[]): WithdrawalStage {
  const { source = "" } = findHold(entries)?.entry ?? {};
  const has = (kind: EntryKind, step = "") =>
    entries.some((entry) => entry.kind === kind && entry.source === source + step);
  if (has("withdrawal_paid")) {
    return has("withdrawal_return", REVERSED) || has("revenue_return", REVERSED) ? "reversed" : "paid";
  }
  if (!(has("withdrawal_return") || has("revenue_return"))) return "held";
  if (!has("correction", LATE_SUCCESS)) return "returned";
  return has("correction", REVERSED) ? "recovered" : "lost";
}

/** What the provider says of a withdrawal; the last two are said of one that had been given up, or had ended. */
export type WithdrawalWord = "not_sent" | "sent" | "sent_late" | "came_back";

/** What a word does: an entry, nothing where its effect stands already, or a conflict with another word before it. */
type Answer = ((hold: Hold) => Entry) | "stands" | "conflict";

const ANSWERS: Readonly<Record<WithdrawalWord, Readonly<Record<WithdrawalStage, Answer>>>> = {
  not_sent: {
    held: decideReturn,
    returned: "stands",
    lost: "stands",
    recovered: "stands",
    paid: "conflict",
    reversed: "conflict",
  },
  sent: {
    held: decidePaid,
    paid: "stands",
    reversed: "stands",
    returned: "conflict",
    lost: "conflict",
    recovered: "conflict",
  },
  sent_late: {
    returned: decideLateSuccess,
    lost: "stands",
    recovered: "stands",
    held: "conflict",
    paid: "conflict",
    reversed: "conflict",
  },
  came_back: {
    paid: decideLateReversal,
    reversed: "stands",
    lost: decideRecovery,
    recovered: "stands",
    held: "conflict",
    returned: "conflict",
  },
};

/** What the provider's word means for a hold of which `entries` is everything that was posted. */
export function decideWithdrawal(
  hold: Hold,
  word: WithdrawalWord,
  entries: readonly PaymentEntry[],
): Entry | "stands" | "conflict" {
  const answer = ANSWERS[word][toWithdrawalStage(entries)];
  return typeof answer === "function" ? answer(hold) : answer;
}

/** The coins did not leave: they go back where they were taken from. */
function decideReturn(held: Hold): Entry {
  return moveHeld(held, { kind: toReturnKind(held), step: "", from: WITHDRAWAL_CLEARING, to: held.from });
}

/** The coins have left: what the provider holds for us is less by them. */
function decidePaid(held: Hold): Entry {
  return moveHeld(held, { kind: "withdrawal_paid", step: "", from: WITHDRAWAL_CLEARING, to: DEPOSIT_CLEARING });
}

/** The coins had left and came back to the provider. */
function decideLateReversal(held: Hold): Entry {
  return moveHeld(held, { kind: toReturnKind(held), step: REVERSED, from: DEPOSIT_CLEARING, to: held.from });
}

/** The coins left after they had been given back: the platform bears them. */
function decideLateSuccess(held: Hold): Entry {
  return moveHeld(held, { kind: "correction", step: LATE_SUCCESS, from: PROVIDER_LOSS, to: DEPOSIT_CLEARING });
}

/** What the platform bore came back to the provider. */
function decideRecovery(held: Hold): Entry {
  return moveHeld(held, { kind: "correction", step: REVERSED, from: DEPOSIT_CLEARING, to: PROVIDER_LOSS });
}

function toReturnKind({ from }: Hold): "withdrawal_return" | "revenue_return" {
  return from.kind === "wallet" ? "withdrawal_return" : "revenue_return";
}

function moveHeld(
  { entry, amount }: Hold,
  { kind, step, from, to }: { kind: EntryKind; step: string; from: AccountKey; to: AccountKey },
): Entry {
  return toEntry({
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
 * What of the platform's own coins may leave: the fees earned, less those already withdrawn or on their way, the provider's, and all that
 * the players are owed without anybody's naira behind it - losses, rounding, debts - so that the provider never holds less than the
 * players are owed (ruling 10). Coins of an opening are left out: they exist in development alone, where nothing stands behind anything.
 */
export function decideRevenueLeft(totals: ReadonlyMap<AccountKind, Coins>): Coins {
  const accounts = ["revenue", "provider_fees", "provider_loss", "rounding", "debts"] as const;
  const left = accounts.reduce((sum, account) => addCoins(sum, totals.get(account) ?? ZERO_COINS), ZERO_COINS);
  return left > ZERO_COINS ? left : ZERO_COINS;
}
