import { type Coins, type Kobo, subtractCoins, toCoinsOut, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { toTransferFee } from "@holo/kernel/provider-fee.ts";

export interface UnplayedDeposit {
  /** The part of `creditedCoins` that was never staked. */
  readonly coins: Coins;
  readonly creditedCoins: Coins;
  readonly feeKobo: Kobo;
}

export interface WithdrawalTerms {
  readonly takenCoins: Coins;
  /** The part that was never staked. */
  readonly unplayedCoins: Coins;
  /** The provider's fees of the deposits that brought these coins. */
  readonly depositFeeKobo: Kobo;
  readonly transferFeeKobo: Kobo;
  readonly feeKobo: Kobo;
  readonly feeCoins: Coins;
  readonly kobo: Kobo;
}

/**
 * The terms of a withdrawal (ruling 37) for page, check, debit and audit. `asked` is debited.
 * Staked coins leave first, without fees; `unplayed` (oldest first) pay their share of the fees.
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
  // Only the last coins of a closing account are worth less than their fees (ruling 12).
  if (feeKobo >= asked) {
    const none = { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n), feeKobo: toKobo(0n) };
    return { takenCoins, unplayedCoins, ...none, feeCoins: ZERO_COINS, kobo: asked };
  }
  const kobo = toKobo(asked - feeKobo);
  return { takenCoins, unplayedCoins, ...fees, feeKobo, feeCoins: toFeeCoins({ kobo, feeKobo, rateKobo }), kobo };
}

/** The fee's coins: together with the sent coins they are exactly the asked amount. */
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

/**
 * The part of a deposit's fee that its first coins pay, rounded up. All parts together pay the
 * whole fee.
 */
function toFeeUntil(coins: bigint, { creditedCoins, feeKobo }: UnplayedDeposit): bigint {
  return (feeKobo * coins + creditedCoins - 1n) / creditedCoins;
}

function toFees(asked: Kobo, takenCoins: Coins, unplayedCoins: Coins, unplayed: readonly UnplayedDeposit[]) {
  if (unplayedCoins === 0n) return { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n) };
  let left: bigint = unplayedCoins;
  let depositFee = 0n;
  for (const deposit of unplayed) {
    const part = deposit.coins < left ? deposit.coins : left;
    const usedCoins = deposit.creditedCoins - deposit.coins;
    depositFee += toFeeUntil(usedCoins + part, deposit) - toFeeUntil(usedCoins, deposit);
    left -= part;
  }
  const toShare = (sentKobo: bigint): bigint =>
    (toTransferFee(toKobo(sentKobo > 0n ? sentKobo : 0n)) * unplayedCoins) / takenCoins;
  const sentAtMost = asked - depositFee;
  return { depositFeeKobo: toKobo(depositFee), transferFeeKobo: toKobo(toShare(sentAtMost - toShare(sentAtMost))) };
}
