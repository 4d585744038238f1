import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { KOBO_MAX } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { EXCLUSION_DAYS, type ExclusionTerm, type LimitKind } from "@holo/protocol/accounts/restriction-terms.ts";
import { listPaidStakes } from "@holo/table/stakes.ts";

/** Cooling-off period before a looser limit applies. */
export const LOOSENING_MS = DAY_MS;

/** Minutes of play between reminders. */
const SESSION_MINUTES = { min: 5, max: 720 } as const;

/** Null: no limit. Deposits in kobo, stakes in whole holocoins per player, sessions in minutes. */
export interface PlayerLimit {
  readonly value: number | null;
  readonly next: { readonly value: number | null; readonly at: Instant } | null;
}

export type PlayerLimits = Readonly<Record<LimitKind, PlayerLimit>>;

export const NO_LIMIT: PlayerLimit = { value: null, next: null };

/** The limit at `now`, with a pending change applied if due. */
export function toLimitAt(limit: PlayerLimit, now: Instant): PlayerLimit {
  const { next } = limit;
  return next === null || next.at > now ? limit : { value: next.value, next: null };
}

/**
 * A stricter or equal value applies at once and drops a pending change; a looser one applies after
 * `LOOSENING_MS`. A request within the pending value keeps its instant.
 */
export function changeLimit(
  kind: LimitKind,
  before: PlayerLimit,
  wanted: number | null,
  now: Instant,
): Result<PlayerLimit, "bad_limit"> {
  if (wanted !== null && !isLimit(kind, wanted)) return refuse("bad_limit");
  const { value, next } = toLimitAt(before, now);
  if (isWithin(wanted, value)) return ok({ value: wanted, next: null });
  const at = next !== null && isWithin(wanted, next.value) ? next.at : addMs(now, LOOSENING_MS);
  return ok({ value, next: { value: wanted, at } });
}

function isWithin(wanted: number | null, value: number | null): boolean {
  return value === null || (wanted !== null && wanted <= value);
}

function isLimit(kind: LimitKind, value: number): boolean {
  switch (kind) {
    case "depositDay":
    case "depositWeek":
    case "depositMonth":
      return Number.isSafeInteger(value) && value >= 0 && value <= Number(KOBO_MAX);
    case "stake":
      return listPaidStakes().some((stake) => stake === value);
    case "session":
      return Number.isSafeInteger(value) && value >= SESSION_MINUTES.min && value <= SESSION_MINUTES.max;
    default:
      return assertNever(kind);
  }
}

/** Rolling windows, so that midnight does not allow two days' worth. */
const DEPOSIT_WINDOWS = [
  { kind: "depositDay", period: "day", windowMs: DAY_MS },
  { kind: "depositWeek", period: "week", windowMs: 7 * DAY_MS },
  { kind: "depositMonth", period: "month", windowMs: 30 * DAY_MS },
] as const satisfies readonly { kind: LimitKind; period: string; windowMs: number }[];

/** A deposit that is paid or may still be. */
export interface CountedDeposit {
  readonly kobo: bigint;
  /** When it was credited; for a pending one, the instant of the check. */
  readonly at: Instant;
}

export interface DepositLeft {
  readonly period: (typeof DEPOSIT_WINDOWS)[number]["period"];
  readonly limitKobo: bigint;
  readonly leftKobo: bigint;
}

/** The deposit limit that leaves least; null without limits. */
export function findDepositLeft(
  limits: PlayerLimits,
  deposits: readonly CountedDeposit[],
  now: Instant,
): DepositLeft | null {
  let least: DepositLeft | null = null;
  for (const { kind, period, windowMs } of DEPOSIT_WINDOWS) {
    const { value } = toLimitAt(limits[kind], now);
    if (value === null) continue;
    const counted = deposits.filter(({ at }) => at > now - windowMs).reduce((sum, deposit) => sum + deposit.kobo, 0n);
    const limitKobo = BigInt(value);
    const leftKobo = counted < limitKobo ? limitKobo - counted : 0n;
    if (least === null || leftKobo < least.leftKobo) least = { period, limitKobo, leftKobo };
  }
  return least;
}

/** The limit that leaves least if a deposit of `kobo` would exceed it; else null. */
export function findExceededLimit(
  limits: PlayerLimits,
  deposits: readonly CountedDeposit[],
  kobo: bigint,
  now: Instant,
): DepositLeft | null {
  const least = findDepositLeft(limits, deposits, now);
  return least === null || kobo <= least.leftKobo ? null : least;
}

export function toExclusionEnd(term: ExclusionTerm, now: Instant): Instant {
  return addMs(now, EXCLUSION_DAYS[term] * DAY_MS);
}
