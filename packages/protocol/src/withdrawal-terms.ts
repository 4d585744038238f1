import { type Coins, type Kobo, subtractCoins, toCoinsOut, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { toTransferFee } from "@holo/kernel/provider-fee.ts";

/** A deposit with coins that were never staked. */
export interface UnplayedDeposit {
  /** What is left of its coins. */
  readonly coins: Coins;
  /** All that it credited. */
  readonly creditedCoins: Coins;
  /** What the provider charged the platform for it. */
  readonly feeKobo: Kobo;
}

/** What a withdrawal takes and sends. */
export interface WithdrawalTerms {
  /** What leaves the wallet, fees included. */
  readonly takenCoins: Coins;
  /** What of it was never staked. */
  readonly unplayedCoins: Coins;
  /** The provider's fees of the deposits that brought these coins. */
  readonly depositFeeKobo: Kobo;
  readonly transferFeeKobo: Kobo;
  /** Both fees together. */
  readonly feeKobo: Kobo;
  readonly feeCoins: Coins;
  /** What arrives at the bank. */
  readonly kobo: Kobo;
}

/**
 * The terms of a withdrawal (ruling 37): the one function for page, check, debit and audit. Coins
 * that were played leave first; those that never were pay their share of the provider's fees.
 *
 * @param asked what leaves the wallet, in kobo
 * @param unplayed oldest first, together at most the balance
 */
export function toWithdrawalTerms(
  asked: Kobo,
  rateKobo: number,
  { balance, unplayed }: { readonly balance: Coins; readonly unplayed: readonly UnplayedDeposit[] },
): WithdrawalTerms {
  const takenCoins = toCoinsOut(asked, rateKobo);
  const played = balance - unplayed.reduce((sum, { coins }) => sum + coins, 0n);
  const unplayedCoins = (takenCoins > played ? takenCoins - played : 0n) as Coins;
  const fees = toFees(asked, takenCoins, unplayedCoins, unplayed);
  const feeKobo = toKobo(fees.depositFeeKobo + fees.transferFeeKobo);
  // Only the rest of a closing account is that small, and it can always be withdrawn (ruling 12).
  if (feeKobo >= asked) {
    const none = { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n), feeKobo: toKobo(0n) };
    return { takenCoins, unplayedCoins, ...none, feeCoins: ZERO_COINS, kobo: asked };
  }
  const kobo = toKobo(asked - feeKobo);
  return { takenCoins, unplayedCoins, ...fees, feeKobo, feeCoins: toFeeCoins({ kobo, feeKobo, rateKobo }), kobo };
}

/** What a fee takes beside the coins that are sent, so that both together are the asked amount. */
export function toFeeCoins({
  kobo,
  feeKobo,
  rateKobo,
}: {
  readonly kobo: Kobo;
  readonly feeKobo: Kobo;
  readonly rateKobo: number;
}): Coins {
  return subtractCoins(toCoinsOut(toKobo(kobo + feeKobo), rateKobo), toCoinsOut(kobo, rateKobo));
}

/** What of a deposit's fee its first coins pay, rounded up: its parts together pay the whole. */
function toFeeUntil(coins: bigint, { creditedCoins, feeKobo }: UnplayedDeposit): bigint {
  return (feeKobo * coins + creditedCoins - 1n) / creditedCoins;
}

function toFees(asked: Kobo, takenCoins: Coins, unplayedCoins: Coins, unplayed: readonly UnplayedDeposit[]) {
  if (unplayedCoins === 0n) return { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n) };
  let left: bigint = unplayedCoins;
  let depositFee = 0n;
  for (const deposit of unplayed) {
    const part = deposit.coins < left ? deposit.coins : left;
    const gone = deposit.creditedCoins - deposit.coins;
    depositFee += toFeeUntil(gone + part, deposit) - toFeeUntil(gone, deposit);
    left -= part;
  }
  const toShare = (sentKobo: bigint): bigint =>
    (toTransferFee(toKobo(sentKobo > 0n ? sentKobo : 0n)) * unplayedCoins) / takenCoins;
  // The fee depends on what is sent, which it lowers: at a step of the tariff the lower fee counts.
  const sentAtMost = asked - depositFee;
  return { depositFeeKobo: toKobo(depositFee), transferFeeKobo: toKobo(toShare(sentAtMost - toShare(sentAtMost))) };
}
