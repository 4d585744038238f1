import { addCoins, type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";

/** Whole holocoins per piece (specification 9). */
export const STAKES = [1, 2, 5, 10] as const;
export type Stake = (typeof STAKES)[number];

/** Minutes for each player (specification 9). */
export const LIMIT_MINUTES = [5, 10] as const;
export type LimitMinutes = (typeof LIMIT_MINUTES)[number];

/** 7.4 % in basis points: the fee while the settings say nothing else (specification 9). */
export const DEFAULT_FEE_BPS = 740;
const BPS = 10_000n;

/** Every sum of one game, in micro-holocoins. The same figures serve dialog, check, debit and settlement (ruling 6). */
export interface Terms {
  /** T = stake x pieces, of one player. */
  readonly stakeTotal: Coins;
  /** The fee of one player. */
  readonly fee: Coins;
  /** What one player pays to sit down: T + fee. A cancelled game gives back exactly this. */
  readonly entry: Coins;
  /** What the winner receives: 2T. */
  readonly winnings: Coins;
  /** What each receives after a draw: T. */
  readonly drawReturn: Coins;
  /** What the platform earns when the game ends by win or draw: both fees. */
  readonly platformFee: Coins;
}

/** @param feeBps the fee kept on the game, 0 to 10,000 */
export function toTerms(stake: Stake, pieceCount: number, feeBps: number): Terms {
  const stakeTotal = wholeCoins(stake * pieceCount);
  const fee = toCoins((stakeTotal * BigInt(feeBps)) / BPS);
  return {
    stakeTotal,
    fee,
    entry: addCoins(stakeTotal, fee),
    winnings: addCoins(stakeTotal, stakeTotal),
    drawReturn: stakeTotal,
    platformFee: addCoins(fee, fee),
  };
}

export function isStake(value: unknown): value is Stake {
  return STAKES.includes(value as Stake);
}

export function isLimitMinutes(value: unknown): value is LimitMinutes {
  return LIMIT_MINUTES.includes(value as LimitMinutes);
}
