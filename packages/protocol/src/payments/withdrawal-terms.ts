import type { PaymentId } from "@holo/kernel/ids.ts";
import {
  type Coins,
  type Kobo,
  MICRO_PER_HC,
  subtractCoins,
  toCoins,
  toCoinsOut,
  toKobo,
  ZERO_COINS,
} from "@holo/kernel/money.ts";
import { toTransferFee } from "@holo/kernel/provider-fee.ts";

export interface UnplayedDeposit {
  readonly paymentId: PaymentId;
  /** The part of `creditedCoins` that was never staked. */
  readonly coins: Coins;
  readonly creditedCoins: Coins;
  readonly feeKobo: Kobo;
  /** Kobo for one holocoin when it was credited. */
  readonly rateKobo: number;
  /** Paid by card (ruling 51). */
  readonly isCard: boolean;
}

export interface WithdrawalTerms {
  readonly takenCoins: Coins;
  /** The part that was never staked. */
  readonly unplayedCoins: Coins;
  /**
   * The part of them that was deposited by card: the first withdrawal of such coins waits (ruling
   * 51).
   */
  readonly cardCoins: Coins;
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
  const parts = toParts(unplayed, unplayedCoins);
  const cardCoins = toCoins(parts.reduce((sum, { partCoins, isCard }) => sum + (isCard ? partCoins : 0n), 0n));
  const fees = toFees(asked, { takenCoins, unplayedCoins }, parts);
  const feeKobo = toKobo(fees.depositFeeKobo + fees.transferFeeKobo);
  // Only the last coins of a closing account are worth less than their fees (ruling 12).
  if (feeKobo >= asked) {
    const none = { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n), feeKobo: toKobo(0n) };
    return { takenCoins, unplayedCoins, cardCoins, ...none, feeCoins: ZERO_COINS, kobo: asked };
  }
  const kobo = toKobo(asked - feeKobo);
  return {
    takenCoins,
    unplayedCoins,
    cardCoins,
    ...fees,
    feeKobo,
    feeCoins: toFeeCoins({ kobo, feeKobo, rateKobo }),
    kobo,
  };
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

/** What a withdrawal takes of each deposit, oldest first. */
function toParts(unplayed: readonly UnplayedDeposit[], unplayedCoins: bigint): readonly (UnplayedDeposit & Part)[] {
  let left = unplayedCoins;
  return unplayed.map((deposit) => {
    const partCoins = deposit.coins < left ? deposit.coins : left;
    left -= partCoins;
    return { ...deposit, partCoins };
  });
}

interface Part {
  readonly partCoins: bigint;
}

/** The provider's fee of a deposit that a part of its unplayed coins bears. */
function toDepositFee(deposit: UnplayedDeposit, partCoins: bigint): bigint {
  const usedCoins = deposit.creditedCoins - deposit.coins;
  return toFeeUntil(usedCoins + partCoins, deposit) - toFeeUntil(usedCoins, deposit);
}

function toFees(
  asked: Kobo,
  { takenCoins, unplayedCoins }: { readonly takenCoins: Coins; readonly unplayedCoins: Coins },
  parts: readonly (UnplayedDeposit & Part)[],
) {
  if (unplayedCoins === 0n) return { depositFeeKobo: toKobo(0n), transferFeeKobo: toKobo(0n) };
  const depositFee = parts.reduce((sum, part) => sum + toDepositFee(part, part.partCoins), 0n);
  const toShare = (sentKobo: bigint): bigint =>
    (toTransferFee(toKobo(sentKobo > 0n ? sentKobo : 0n)) * unplayedCoins) / takenCoins;
  const sentAtMost = asked - depositFee;
  return { depositFeeKobo: toKobo(depositFee), transferFeeKobo: toKobo(toShare(sentAtMost - toShare(sentAtMost))) };
}

/** What goes back to a card at once, instead of a withdrawal (ruling 51). */
export interface CardRefund {
  readonly kobo: Kobo;
  /** The provider's fee of the deposit, which the refund bears like a withdrawal (ruling 37). */
  readonly feeKobo: Kobo;
}

const CARD_REFUND_KOBO_MIN = 10_000n;

/**
 * All unplayed coins of a deposit by card, less its fee; the provider takes nothing for a refund.
 * Null if it was not paid by card, or for less than ₦100.
 */
export function toCardRefund(deposit: UnplayedDeposit): CardRefund | null {
  const takenKobo = (deposit.coins * BigInt(deposit.rateKobo)) / MICRO_PER_HC;
  const feeKobo = toKobo(toDepositFee(deposit, deposit.coins));
  const kobo = toKobo(takenKobo - feeKobo);
  return deposit.isCard && kobo >= CARD_REFUND_KOBO_MIN ? { kobo, feeKobo } : null;
}

/** The deposits by card that a withdrawal would take unplayed coins of, oldest first. */
export function findCardDeposits(
  { unplayedCoins }: Pick<WithdrawalTerms, "unplayedCoins">,
  unplayed: readonly UnplayedDeposit[],
): readonly UnplayedDeposit[] {
  return toParts(unplayed, unplayedCoins).filter(({ isCard, partCoins }) => isCard && partCoins > 0n);
}
