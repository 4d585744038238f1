import { type Coins, type Kobo, MICRO_PER_HC, toCoins, toKobo } from "@holo/kernel/money.ts";
import type { WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";

/** What one payment takes and sends. */
export interface WithdrawalPart {
  /** What is sent. */
  readonly kobo: Kobo;
  /** The player's part of the provider's fees, besides `kobo`. */
  readonly feeKobo: Kobo;
  readonly takenCoins: Coins;
  /** The part that was never staked. */
  readonly unplayedCoins: Coins;
}

/** At least one. Together exactly what was asked. */
export interface SplitWithdrawal {
  /** Leaves at once. */
  readonly clean: WithdrawalPart | null;
  /** Has all marked coins. */
  readonly held: WithdrawalPart | null;
}

/** The provider sends no less. */
export const TRANSFER_KOBO_MIN = 10_000n;

/**
 * Splits off what is not marked. It is rounded down to a sum that is worth whole micro-coins, so
 * that both parts take what one payment would; and not split off if it or the rest is too small.
 */
export function splitWithdrawal(terms: WithdrawalTerms, rateKobo: number, markedCoins: Coins): SplitWithdrawal {
  const { kobo, feeKobo, takenCoins, unplayedCoins } = terms;
  const whole = { kobo, feeKobo, takenCoins, unplayedCoins };
  if (markedCoins === 0n) return { clean: whole, held: null };
  const asked = kobo + feeKobo;
  const factor = findCommonFactor(BigInt(rateKobo), MICRO_PER_HC);
  const step = { kobo: BigInt(rateKobo) / factor, coins: MICRO_PER_HC / factor };
  const byCoins = (takenCoins - markedCoins) / step.coins;
  const byRest = (asked - TRANSFER_KOBO_MIN) / step.kobo;
  const steps = byCoins < byRest ? byCoins : byRest;
  const [cleanKobo, cleanCoins] = [steps * step.kobo, steps * step.coins];
  const heldKobo = asked - cleanKobo;
  const isFeeClean = cleanKobo - feeKobo >= TRANSFER_KOBO_MIN;
  const isFeeHeld = cleanKobo >= TRANSFER_KOBO_MIN && heldKobo - feeKobo >= TRANSFER_KOBO_MIN;
  if (!isFeeClean && !isFeeHeld) return { clean: null, held: whole };
  const [cleanFee, heldFee] = isFeeClean ? [feeKobo, 0n] : [0n, feeKobo];
  const cleanUnplayed = unplayedCoins < cleanCoins ? unplayedCoins : cleanCoins;
  return {
    clean: {
      kobo: toKobo(cleanKobo - cleanFee),
      feeKobo: toKobo(cleanFee),
      takenCoins: toCoins(cleanCoins),
      unplayedCoins: toCoins(cleanUnplayed),
    },
    held: {
      kobo: toKobo(heldKobo - heldFee),
      feeKobo: toKobo(heldFee),
      takenCoins: toCoins(takenCoins - cleanCoins),
      unplayedCoins: toCoins(unplayedCoins - cleanUnplayed),
    },
  };
}

function findCommonFactor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : findCommonFactor(b, a % b);
}
