/** What players can limit for themselves: deposits in kobo, the stake in whole holocoins a piece, the session in minutes. */
export const LIMIT_KINDS = ["depositDay", "depositWeek", "depositMonth", "stake", "session"] as const;
export type LimitKind = (typeof LIMIT_KINDS)[number];

export const EXCLUSION_TERMS = ["day", "week", "month", "half_year"] as const;
export type ExclusionTerm = (typeof EXCLUSION_TERMS)[number];
/** How many days of 24 hours each term has. */
export const EXCLUSION_DAYS: Readonly<Record<ExclusionTerm, number>> = { day: 1, week: 7, month: 30, half_year: 183 };

export interface LimitView {
  /** What holds now; null: no limit. */
  readonly value: number | null;
  /** What it becomes, and when (ms since 1970): what is looser than before comes a day later. */
  readonly next: { readonly value: number | null; readonly at: number } | null;
}

export interface RestrictionsView extends Readonly<Record<LimitKind, LimitView>> {
  /** Until when the player has excluded themselves (ms since 1970); null: they have not. */
  readonly excludedUntil: number | null;
  /** Since when the account is closing (ms since 1970): it neither plays nor deposits. Null: it is not. */
  readonly closingAt: number | null;
  /** Why the house has blocked this player, in its own words: they neither play, chat nor deposit. Null: it has not. */
  readonly blockedFor: string | null;
}
