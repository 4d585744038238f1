import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { ok, type Result } from "@holo/kernel/result.ts";
import type { RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import { type ExclusionTerm, LIMIT_KINDS, type LimitKind } from "@holo/protocol/restrictions.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { loadPendingDeletions } from "../deletion/pending-deletion-store.ts";
import {
  type CountedDeposit,
  changeLimit,
  type DepositLeft,
  findExceededLimit,
  type PlayerLimit,
  type PlayerLimits,
  toExclusionEnd,
  toLimitAt,
} from "./limits.ts";
import {
  loadActiveSelfExclusions,
  loadLimits,
  lockLimits,
  lockLimitsShared,
  saveLimit,
  saveSelfExclusion,
} from "./limits-store.ts";
import { loadBans, loadRestricted, loadRestrictions } from "./restrictions-store.ts";

/** What is left out stays as it is; null asks for none. */
export type LimitChanges = { readonly [Kind in LimitKind]?: number | null | undefined };

/** What a player has set for themselves, as it is now. */
export interface OwnLimits {
  readonly limits: PlayerLimits;
  readonly excludedUntil: Instant | null;
  /** Since when the account is closing; null: it is not. */
  readonly closingAt: Instant | null;
  /** Why the house has blocked the player, in the words they are shown; null: it has not. */
  readonly banReason: string | null;
}

/** Why a player may not do what they asked for, by their own wish or the house's. */
export interface RestrictionRefusal {
  readonly code:
    | "blocked_by_house"
    | "maintenance"
    | "account_closing"
    | "self_excluded"
    | "stake_limit"
    | "limit_reached";
  readonly figures: RefusalFigures;
}

export async function loadOwnLimits(queries: Queries, playerId: PlayerId, now: Instant): Promise<OwnLimits> {
  const [stored, excluded, closing, blocked] = await Promise.all([
    loadLimits(queries, playerId),
    loadActiveSelfExclusions(queries, [playerId], now),
    loadPendingDeletions(queries, [playerId]),
    loadBans(queries, [playerId]),
  ]);
  return {
    limits: toLimitsAt(stored, now),
    excludedUntil: excluded.get(playerId) ?? null,
    closingAt: closing.get(playerId) ?? null,
    banReason: blocked.get(playerId) ?? null,
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

/** Changes the limits named, all or none, from the instant on at which nobody counts by them any more; see `changeLimit`. */
export async function updateLimits(
  tx: Tx,
  playerId: PlayerId,
  wishes: LimitChanges,
  time: { now(): Instant },
): Promise<Result<null, "bad_limit">> {
  await lockLimits(tx, playerId);
  const now = time.now();
  const before = await loadLimits(tx, playerId);
  const changed: [LimitKind, PlayerLimit][] = [];
  for (const kind of LIMIT_KINDS) {
    const wanted = wishes[kind];
    if (wanted === undefined) continue;
    const after = changeLimit(kind, before[kind], wanted, now);
    if (!after.ok) return after;
    changed.push([kind, after.value]);
  }
  for (const [kind, limit] of changed) await saveLimit(tx, playerId, kind, limit, now);
  return ok(null);
}

/** Excludes a player from now on (ruling 27). A term that is running already is never shortened by a shorter one. */
export async function excludeSelf(tx: Tx, playerId: PlayerId, term: ExclusionTerm, now: Instant): Promise<void> {
  await lockLimits(tx, playerId);
  await saveSelfExclusion(tx, playerId, now, toExclusionEnd(term, now));
}

/** Of these players, those who have excluded themselves, are closing their account or are blocked, and are not to be met at a table. */
export async function findRestricted(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<ReadonlySet<PlayerId>> {
  return await loadRestricted(queries, playerIds, now);
}

/** Why a player may neither play nor deposit at all, what concerns them alone first; null where they may. */
export async function findRestriction(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<RestrictionRefusal | null> {
  const { isBanned, isDeletionPending, excludedUntil, isUnderMaintenance } = await loadRestrictions(
    queries,
    playerId,
    now,
  );
  if (isBanned) return { code: "blocked_by_house", figures: {} };
  if (isDeletionPending) return { code: "account_closing", figures: {} };
  if (excludedUntil !== null) return { code: "self_excluded", figures: { until: excludedUntil } };
  return isUnderMaintenance ? { code: "maintenance", figures: {} } : null;
}

/** Why a player may not sit down at a game of this stake; null where they may. Nothing here is a promise: see `checkSeat`. */
export async function findSeatRestriction(
  queries: Queries,
  playerId: PlayerId,
  stake: number,
  now: Instant,
): Promise<RestrictionRefusal | null> {
  const barred = await findRestriction(queries, playerId, now);
  if (barred !== null) return barred;
  const { value } = toLimitAt((await loadLimits(queries, playerId)).stake, now);
  return value !== null && stake > value ? { code: "stake_limit", figures: { stake: value } } : null;
}

/** As `toSeatRefusal`, and the answer holds until the transaction ends. Of several players the caller asks in the order of their ids. */
export async function checkSeat(
  tx: Tx,
  playerId: PlayerId,
  stake: number,
  now: Instant,
): Promise<RestrictionRefusal | null> {
  await lockLimitsShared(tx, playerId);
  return await findSeatRestriction(tx, playerId, stake, now);
}

/** Whether a player is at tables no more, and this holds until the transaction ends. */
export async function checkRestricted(tx: Tx, playerId: PlayerId, now: Instant): Promise<boolean> {
  await lockLimitsShared(tx, playerId);
  return (await findRestricted(tx, [playerId], now)).has(playerId);
}

export interface DepositCheck {
  readonly playerId: PlayerId;
  readonly kobo: bigint;
  readonly now: Instant;
  /** Those that count at `now`, of the last 30 days at least. */
  readonly loadDeposits: () => Promise<readonly CountedDeposit[]>;
}

/**
 * Why a player may not begin one more deposit; null where they may. The caller holds `lockLimits` and writes the deposit in the same
 * transaction, so that two at once are counted one after the other.
 */
export async function findDepositRestriction(tx: Tx, question: DepositCheck): Promise<RestrictionRefusal | null> {
  const { playerId, kobo, now, loadDeposits } = question;
  const barred = await findRestriction(tx, playerId, now);
  if (barred !== null) return barred;
  const passed = await findExceededDepositLimit(tx, { playerId, kobo, now, loadDeposits });
  if (passed === null) return null;
  const { period, limitKobo, leftKobo } = passed;
  return { code: "limit_reached", figures: { period, limit: toKobo(limitKobo), left: toKobo(leftKobo) } };
}

/** The limit of the player's own that one more deposit would pass; null where none. The caller holds `lockLimits`. */
export async function findExceededDepositLimit(tx: Tx, question: DepositCheck): Promise<DepositLeft | null> {
  const { playerId, kobo, now, loadDeposits } = question;
  const limits = toLimitsAt(await loadLimits(tx, playerId), now);
  return findExceededLimit(limits, await loadDeposits(), kobo, now);
}
