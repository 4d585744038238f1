/** Whole holocoins per piece, in ascending order (specification 9). */
export const STAKES = [1, 2, 5, 10] as const;
export type Stake = (typeof STAKES)[number];

/** Minutes for each player, in ascending order (specification 9). */
export const LIMIT_MINUTES = [5, 10] as const;
export type LimitMinutes = (typeof LIMIT_MINUTES)[number];
