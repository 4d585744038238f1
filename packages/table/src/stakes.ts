/** Whole holocoins per piece, in ascending order (specification 9). 0: a free game (ruling 41). */
export const STAKES = [0, 1, 2, 5, 10] as const;
export type Stake = (typeof STAKES)[number];

/** Whether no coins move: nothing is paid, held, won or counted as earned (ruling 41). */
export function isFree(stake: number): boolean {
  return stake === 0;
}

/** The stakes that are paid, in ascending order. */
export function listPaidStakes(): readonly Stake[] {
  return STAKES.filter((stake) => !isFree(stake));
}

/** Minutes for each player, in ascending order (specification 9). */
export const LIMIT_MINUTES = [5, 10] as const;
export type LimitMinutes = (typeof LIMIT_MINUTES)[number];
