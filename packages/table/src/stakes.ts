/**
 * Whole holocoins per piece (specification 9). A new stake or limit also needs a migration of the
 * checks in 300-arena.ts, and the texts of the home, About and Terms pages.
 */
export const STAKES = [1, 2, 5, 10] as const;
export type Stake = (typeof STAKES)[number];

/** Minutes for each player (specification 9). */
export const LIMIT_MINUTES = [5, 10] as const;
export type LimitMinutes = (typeof LIMIT_MINUTES)[number];

export function isStake(value: unknown): value is Stake {
  return STAKES.includes(value as Stake);
}

export function isLimitMinutes(value: unknown): value is LimitMinutes {
  return LIMIT_MINUTES.includes(value as LimitMinutes);
}
