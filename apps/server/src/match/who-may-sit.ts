import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { toCoins } from "@holo/kernel/money.ts";
import { isFree, type Stake } from "@holo/table/stakes.ts";
import { toLimitAt } from "../accounts/accounts.ts";
import {
  findFactsOf,
  LATER_COOL_DOWN_MS,
  type Refusal,
  type SeatFacts,
  type SeatRefusal,
  type SeatRequest,
  type SeatRules,
} from "../game/game.ts";

/** Ruling 17. */
const FIRST_COOL_DOWN_AT_COUNT = 3;
const FIRST_COOL_DOWN_MS = 5 * MINUTE_MS;

type Check = (facts: SeatFacts, request: SeatRequest, at: Instant) => Refusal | null;

/** All reasons for which a player gets no seat. The first one that applies is the refusal. */
const CHECKS: readonly Check[] = [
  ({ isBanned }) => (isBanned ? { code: "banned", figures: {} } : null),
  ({ isClosing }) => (isClosing ? { code: "account_closing", figures: {} } : null),
  (facts, { stake }) => {
    const until = toExclusionEndAt(facts, stake);
    return until === undefined ? null : { code: "self_excluded", figures: { until } };
  },
  ({ isUnderMaintenance }) => (isUnderMaintenance ? { code: "maintenance", figures: {} } : null),
  forStakes(({ hasDispute }) => (hasDispute ? { code: "deposit_disputed", figures: {} } : null)),
  checkStakeLimit,
  forStakes(({ debt }) =>
    debt === undefined ? null : { code: "debt_open", figures: { need: toCoins(BigInt(debt)) } },
  ),
  checkCoolDown,
  ({ openGame }) =>
    openGame === undefined
      ? null
      : { code: openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists", figures: {} },
  (facts, { stake }) => (isKeptApart(facts, stake) ? { code: "blocked_pair", figures: {} } : null),
  checkFunds,
  ({ isLoggedOut }, { session }) =>
    isLoggedOut && session !== undefined ? { code: session.refusal, figures: {} } : null,
];

/** Why these players may not sit down, and whom it concerns; null if they may. */
export function findSeatRefusal(
  requests: readonly SeatRequest[],
  facts: readonly SeatFacts[],
  at: Instant,
): SeatRefusal | null {
  for (const check of CHECKS) {
    for (const request of requests) {
      const own = findFactsOf(facts, request.playerId);
      const refusal = own === undefined ? null : check(own, request, at);
      if (refusal !== null) return { ...refusal, playerId: request.playerId };
    }
  }
  return null;
}

/** Why a player may not offer a rematch; null if they may. Its start is judged again. */
export function findOfferRefusal(request: SeatRequest, facts: readonly SeatFacts[], at: Instant): Refusal | null {
  // If the open game is the rematch, its table knows the answer.
  const ofOthers = facts.map(({ openGame: _, ...others }) => others);
  const own = findSeatRefusal([request], ofOthers, at);
  if (own !== null) return { code: own.code, figures: own.figures };
  const opponent = facts.find(({ player }) => player === request.opponentId);
  return isIneligible(opponent, request.stake) ? { code: "opponent_busy", figures: {} } : null;
}

/**
 * Whether a player's waiting game is about to be cancelled and must not start (rulings 27 and 33):
 * for personal reasons that last, so neither maintenance nor a limit counts.
 */
export function isIneligible(facts: SeatFacts | undefined, stake: Stake): boolean {
  if (facts === undefined) return false;
  const { isBanned, isClosing, hasDispute, debt } = facts;
  const ofMoney = isFree(stake) ? [] : [hasDispute, debt];
  return [isBanned, isClosing, toExclusionEndAt(facts, stake), ...ofMoney].some((fact) => fact !== undefined);
}

/** Two players who share a bank account, card or device meet in free games only (ruling 54). */
export function isKeptApart({ isBlocked, sharesTrace }: SeatFacts, stake: Stake): boolean {
  return isBlocked === true || (sharesTrace === true && !isFree(stake));
}

export const SEAT_RULES: SeatRules = { findSeatRefusal, findOfferRefusal, isIneligible };

/**
 * Until when a player may start no new game: 5 minutes after the third, 30 minutes after each
 * further game that they cancelled or missed (ruling 17); null for no cool-down.
 */
export function toCoolDownEndAt(missedAt: readonly Instant[], now: Instant): Instant | null {
  if (missedAt.length < FIRST_COOL_DOWN_AT_COUNT) return null;
  const newestAt = Math.max(...missedAt) as Instant;
  const endAt = addMs(newestAt, missedAt.length === FIRST_COOL_DOWN_AT_COUNT ? FIRST_COOL_DOWN_MS : LATER_COOL_DOWN_MS);
  return endAt > now ? endAt : null;
}

/** What concerns money keeps no one from a free game (ruling 57). */
function forStakes(check: Check): Check {
  return (facts, request, at) => (isFree(request.stake) ? null : check(facts, request, at));
}

function toExclusionEndAt({ excludedUntil, excludedFromFreeUntil }: SeatFacts, stake: Stake): Instant | undefined {
  return isFree(stake) ? excludedFromFreeUntil : excludedUntil;
}

function checkStakeLimit({ stakeLimit }: SeatFacts, { stake }: SeatRequest, at: Instant): Refusal | null {
  if (stakeLimit === undefined) return null;
  const { value, nextValue = null, nextAt } = stakeLimit;
  const limit = toLimitAt({ value, next: nextAt === undefined ? null : { value: nextValue, at: nextAt } }, at).value;
  return limit !== null && stake > limit ? { code: "stake_limit", figures: { stake: limit } } : null;
}

function checkCoolDown({ missedAt = [] }: SeatFacts, _: SeatRequest, at: Instant): Refusal | null {
  const endAt = toCoolDownEndAt(missedAt, at);
  return endAt === null ? null : { code: "paused", figures: { minutes: Math.ceil((endAt - at) / MINUTE_MS) } };
}

function checkFunds({ have }: SeatFacts, { seat, buyIn }: SeatRequest): Refusal | null {
  if (have === undefined) return null;
  const code = seat === 1 ? "insufficient_to_create" : "insufficient_to_join";
  return { code, figures: { need: buyIn, have: toCoins(BigInt(have)) } };
}
