import { assert } from "@holo/kernel/assert.ts";
import type { PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addCoins, type Coins, type Kobo, toCoins, toCoinsIn, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import {
  type AccountKind,
  debtsOf,
  type JournalEntry,
  makeJournalEntry,
  platformAccount,
  walletOf,
} from "../journal/journal-entry.ts";

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

export interface ProviderFeeOrder {
  readonly paymentId: PaymentId;
  readonly reference: string;
  readonly kobo: Kobo;
  readonly rateKobo: number;
}

/** The provider's fee lowers the clearing account. The platform bears it (ruling 10). */
export function decideProviderFeeEntry({ paymentId, reference, kobo, rateKobo }: ProviderFeeOrder): JournalEntry {
  const amount = toCoinsIn(kobo, rateKobo);
  assert(amount > ZERO_COINS, `provider's fee of ${kobo} kobo`);
  return makeJournalEntry({
    kind: "provider_fee",
    source: `${paymentId}:fee`,
    settledGame: null,
    details: { paymentId, reference, kobo: Number(kobo), rateKobo },
    postings: [
      { account: platformAccount("provider_fees"), amount: toCoins(-amount) },
      { account: platformAccount("deposit_clearing"), amount },
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
