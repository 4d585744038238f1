import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { EXCLUSION_DAYS, EXCLUSION_TERMS, type ExclusionTerm, type LimitKind } from "@holo/protocol/limit-views.ts";
import { formatNaira } from "../../ui/naira.ts";

/** What a player may choose from for each limit, the tightest first: kobo, whole holocoins a piece, minutes. */
const CHOICES: Readonly<Record<LimitKind, readonly number[]>> = {
  depositDay: [0, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000],
  depositWeek: [0, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000],
  depositMonth: [0, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000],
  stake: [1, 2, 5, 10],
  session: [30, 60, 90, 120, 180],
};

export const LIMIT_LABELS: Readonly<Record<LimitKind, string>> = {
  depositDay: "Deposits a day",
  depositWeek: "Deposits a week",
  depositMonth: "Deposits a month",
  stake: "Highest stake a piece",
  session: "Session reminder",
};

export const TERM_TEXTS: Readonly<Record<ExclusionTerm, string>> = {
  day: "24 hours",
  week: "7 days",
  month: "30 days",
  half_year: "6 months",
};

/** When a break of this term would end that began at `now` (ms since 1970). */
export function toBreakEnd(term: ExclusionTerm, now: number): number {
  return now + EXCLUSION_DAYS[term] * DAY_MS;
}

/** The terms that would end after the break there is; all of them where there is none. */
export function toLongerTerms(excludedUntil: number | null, now: number): readonly ExclusionTerm[] {
  return EXCLUSION_TERMS.filter((term) => excludedUntil === null || toBreakEnd(term, now) > excludedUntil);
}

/** A limit in words; null is none. */
export function formatLimit(kind: LimitKind, value: number | null): string {
  if (value === null) return kind === "session" ? "No reminder" : "No limit";
  if (kind === "stake") return `${value} HC`;
  if (kind === "session") return `Every ${value} min`;
  return value === 0 ? "No deposits" : formatNaira(BigInt(value) as Kobo);
}

/** What a choice comes to, before it is made. @param value what holds now; null is none */
export function formatWish(value: number | null, wished: number | null): string {
  const isTighter = wished !== null && (value === null || wished < value);
  return isTighter ? "Holds at once. To raise it again takes 24 hours." : "Holds 24 hours after you set it.";
}

/** What the field of a limit offers: what holds now is among it, whatever it is. */
export function toChoices(
  kind: LimitKind,
  value: number | null,
): readonly { readonly value: string; readonly text: string }[] {
  const values = new Set(value === null ? CHOICES[kind] : [...CHOICES[kind], value]);
  const known = [...values]
    .sort((a, b) => a - b)
    .map((choice) => ({ value: `${choice}`, text: formatLimit(kind, choice) }));
  return [...known, { value: "none", text: formatLimit(kind, null) }];
}

/** What was chosen, as the server takes it. */
export function parseChoice(text: string): number | null {
  return text === "none" ? null : Number(text);
}
