import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import type { LimitKind } from "@holo/protocol/accounts/restriction-terms.ts";
import type { RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { loadClosings } from "../data-retention/account-removal-store.ts";
import { type Ban, loadBans } from "./bans-store.ts";
import {
  type CountedDeposit,
  type DepositLeft,
  findExceededLimit,
  type PlayerLimit,
  type PlayerLimits,
  toLimitAt,
} from "./limits.ts";
import { loadExclusionEnds, loadLimits } from "./limits-store.ts";
import { loadRestrictions } from "./restrictions-store.ts";

/** Omitted limits stay unchanged; null removes one. */
export type LimitChanges = { readonly [Kind in LimitKind]?: number | null | undefined };

export interface OwnLimits {
  readonly limits: PlayerLimits;
  readonly excludedUntil: Instant | null;
  readonly excludedFromFreeUntil: Instant | null;
  /** When deletion was requested; null: not. */
  readonly closingAt: Instant | null;
  /** Null: not banned. */
  readonly ban: Ban | null;
}

export interface RestrictionRefusal<Limit extends "limit_reached" = never> {
  readonly code: "banned" | "maintenance" | "account_closing" | "self_excluded" | Limit;
  readonly figures: RefusalFigures;
}

export async function loadOwnLimits(queries: Queries, playerId: PlayerId, now: Instant): Promise<OwnLimits> {
  const [stored, excluded, closing, bans] = await Promise.all([
    loadLimits(queries, playerId),
    loadExclusionEnds(queries, playerId, now),
    loadClosings(queries, [playerId]),
    loadBans(queries, [playerId]),
  ]);
  return {
    limits: toLimitsAt(stored, now),
    ...excluded,
    closingAt: closing.get(playerId) ?? null,
    ban: bans.get(playerId) ?? null,
  };
}

function toLimitsAt(stored: PlayerLimits, now: Instant): PlayerLimits {
  const at = (kind: LimitKind): PlayerLimit => toLimitAt(stored[kind], now);
  return {
    depositDay: at("depositDay"),
    depositWeek: at("depositWeek"),
    depositMonth: at("depositMonth"),
    stake: at("stake"),
    session: at("session"),
  };
}

/** Why a player may not deposit, limits aside; null if they may. Personal reasons come first. */
export async function findRestriction(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<RestrictionRefusal | null> {
  const { isBanned, isClosing, excludedUntil, isUnderMaintenance } = await loadRestrictions(queries, playerId, now);
  if (isBanned) return { code: "banned", figures: {} };
  if (isClosing) return { code: "account_closing", figures: {} };
  if (excludedUntil !== null) return { code: "self_excluded", figures: { until: excludedUntil } };
  return isUnderMaintenance ? { code: "maintenance", figures: {} } : null;
}

/** Whether a deposit that arrives now is refunded (ruling 36). Maintenance does not count. */
export async function isRestrictedFromDeposits(queries: Queries, playerId: PlayerId, now: Instant): Promise<boolean> {
  const { isBanned, isClosing, excludedUntil } = await loadRestrictions(queries, playerId, now);
  return isBanned || isClosing || excludedUntil !== null;
}

interface DepositCheck {
  readonly playerId: PlayerId;
  readonly kobo: bigint;
  readonly now: Instant;
  /** Deposits that count at `now`, of at least the last 30 days. */
  readonly loadDeposits: () => Promise<readonly CountedDeposit[]>;
}

/**
 * Why a player may not begin another deposit; null if they may. The caller holds `lockLimits` and
 * writes the deposit in the same transaction, so that concurrent deposits are counted.
 */
export async function findDepositRestriction(
  tx: Tx,
  question: DepositCheck,
): Promise<RestrictionRefusal<"limit_reached"> | null> {
  const { playerId, kobo, now, loadDeposits } = question;
  const restriction = await findRestriction(tx, playerId, now);
  if (restriction !== null) return restriction;
  const exceeded = await findExceededDepositLimit(tx, { playerId, kobo, now, loadDeposits });
  if (exceeded === null) return null;
  const { period, limitKobo, leftKobo } = exceeded;
  return { code: "limit_reached", figures: { period, limit: toKobo(limitKobo), left: toKobo(leftKobo) } };
}

/**
 * The player's limit that another deposit would exceed; null if none. The caller holds
 * `lockLimits`.
 */
export async function findExceededDepositLimit(tx: Tx, question: DepositCheck): Promise<DepositLeft | null> {
  const { playerId, kobo, now, loadDeposits } = question;
  const limits = toLimitsAt(await loadLimits(tx, playerId), now);
  return findExceededLimit(limits, await loadDeposits(), kobo, now);
}
