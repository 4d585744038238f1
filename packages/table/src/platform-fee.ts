import { addCoins, type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import { isFree, type Stake } from "./stakes.ts";

/** 7.4 % in basis points: the fee unless the settings say otherwise (specification 9). */
export const DEFAULT_FEE_BPS = 740;
const BPS = 10_000n;

/** Every sum of one game in micro-holocoins, for dialogs, debits and settlement (ruling 6). */
export interface Terms {
  /** T = stake x pieces, of one player. */
  readonly stakeTotal: Coins;
  /** What one player pays the platform. */
  readonly fee: Coins;
  /** What one player pays to sit down: T + fee. A cancelled game refunds exactly this. */
  readonly buyIn: Coins;
  /** The winner's credit: 2T. */
  readonly winnings: Coins;
  /** Each player's credit after a draw: T. */
  readonly drawReturn: Coins;
  /** The platform's revenue after a win or a draw: the fees of both players. */
  readonly platformFee: Coins;
}

/** The fee of a new game, in basis points: a free one has none. */
export function toGameFeeBps(stake: Stake, feeInForceBps: number): number {
  return isFree(stake) ? 0 : feeInForceBps;
}

/** @param feeBps the fee of the game, 0 to 10,000 */
export function toTerms(stake: Stake, pieceCount: number, feeBps: number): Terms {
  const stakeTotal = wholeCoins(stake * pieceCount);
  const fee = toCoins((stakeTotal * BigInt(feeBps)) / BPS);
  return {
    stakeTotal,
    fee,
    buyIn: addCoins(stakeTotal, fee),
    winnings: addCoins(stakeTotal, stakeTotal),
    drawReturn: stakeTotal,
    platformFee: addCoins(fee, fee),
  };
}
