import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import {
  EXCLUSION_DAYS,
  EXCLUSION_TERMS,
  type ExclusionTerm,
  type LimitKind,
} from "@holo/protocol/accounts/restriction-terms.ts";
import { listPaidStakes } from "@holo/table/stakes.ts";
import { formatNaira } from "../../../shared/money/naira.ts";

/**
 * Choices per limit, tightest first. Deposits in kobo, stake in holocoins a piece, session in
 * minutes.
 */
const LIMIT_CHOICES: Readonly<Record<LimitKind, readonly number[]>> = {
  depositDay: [0, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000],
  depositWeek: [0, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 25_000_000],
  depositMonth: [0, 2_000_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000],
  stake: listPaidStakes(),
  session: [30, 60, 90, 120, 180],
};

export const LIMIT_LABELS: Readonly<Record<LimitKind, string>> = {
  depositDay: "Deposits a day",
  depositWeek: "Deposits a week",
  depositMonth: "Deposits a month",
  stake: "Maximum stake per piece",
  session: "Session reminder",
};

export const EXCLUSION_TERM_TEXTS: Readonly<Record<ExclusionTerm, string>> = {
  day: "24 hours",
  week: "7 days",
  month: "30 days",
  half_year: "6 months",
};

/** The end of a self-exclusion that starts at `now` (ms since 1970). */
export function toExclusionEnd(term: ExclusionTerm, now: number): number {
  return now + EXCLUSION_DAYS[term] * DAY_MS;
}

export function listLongerTerms(excludedUntil: number | null, now: number): readonly ExclusionTerm[] {
  return EXCLUSION_TERMS.filter((term) => excludedUntil === null || toExclusionEnd(term, now) > excludedUntil);
}

export function formatLimit(kind: LimitKind, value: number | null): string {
  if (value === null) return kind === "session" ? "No reminder" : "No limit";
  if (kind === "stake") return `${value} HC`;
  if (kind === "session") return `Every ${value} min`;
  return value === 0 ? "No deposits" : formatNaira(BigInt(value) as Kobo);
}

export function formatLimitChange(value: number | null, chosen: number | null): string {
  const isTighter = chosen !== null && (value === null || chosen < value);
  return isTighter ? "Takes effect now. Raising it again takes 24 hours." : "Takes effect after 24 hours.";
}

export function toLimitChoices(
  kind: LimitKind,
  value: number | null,
): readonly { readonly value: string; readonly text: string }[] {
  const values = new Set(value === null ? LIMIT_CHOICES[kind] : [...LIMIT_CHOICES[kind], value]);
  const known = [...values]
    .sort((a, b) => a - b)
    .map((choice) => ({ value: `${choice}`, text: formatLimit(kind, choice) }));
  return [...known, { value: "none", text: formatLimit(kind, null) }];
}

export function parseLimitChoice(text: string): number | null {
  return text === "none" ? null : Number(text);
}
