/**
 * What players can limit for themselves: deposits in kobo, the stake in whole holocoins a piece,
 * the session in minutes.
 */
export const LIMIT_KINDS = ["depositDay", "depositWeek", "depositMonth", "stake", "session"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

export const EXCLUSION_TERMS = ["day", "week", "month", "half_year"] as const;
export type ExclusionTerm = (typeof EXCLUSION_TERMS)[number];
/** Days of 24 hours. */
export const EXCLUSION_DAYS: Readonly<Record<ExclusionTerm, number>> = { day: 1, week: 7, month: 30, half_year: 183 };
