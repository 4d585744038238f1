/** Whole holocoins per piece, in ascending order (specification 9). */
export const STAKES = [1, 2, 5, 10] as const;
export type Stake = (typeof STAKES)[number];

/** Minutes for each player, in ascending order (specification 9). */
export const LIMIT_MINUTES = [5, 10] as const;
export type LimitMinutes = (typeof LIMIT_MINUTES)[number];

export function isStake(value: unknown): value is Stake {
  return STAKES.includes(value as Stake);
}

export function isLimitMinutes(value: unknown): value is LimitMinutes {
  return LIMIT_MINUTES.includes(value as LimitMinutes);
}
