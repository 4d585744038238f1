import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { type SessionClaim, toLimitAt } from "../accounts/accounts.ts";
import type { Refusal } from "../game/answer.ts";

/** A player who is to sit down and pay. */
export interface SeatRequest {
  readonly playerId: PlayerId;
  readonly gameId: GameId;
  readonly seat: Seat;
  readonly stake: Stake;
  readonly buyIn: Coins;
  /** Null: no opponent yet. */
  readonly opponentId: PlayerId | null;
  /** Stored, so that the same id leads to the same game. */
  readonly command?: { readonly id: CommandId; readonly content: string } | undefined;
  readonly session?: SessionCheck | undefined;
}

/** The session of a command that takes coins: it must be live until the commit. */
export interface SessionCheck {
  readonly claim: SessionClaim;
  /** If it is not live. */
  readonly refusal: RefusalCode;
}

/** What `seat_facts` (SQL) says about a player. What it leaves out is in the player's favour. */
export interface SeatFacts {
  readonly player: PlayerId;
  readonly isBanned?: true;
  /** The deletion of the account was requested. */
  readonly isClosing?: true;
  readonly excludedUntil?: Instant;
  readonly isUnderMaintenance?: true;
  readonly hasDispute?: true;
  readonly stakeLimit?: { readonly value: number; readonly nextValue?: number; readonly nextAt?: Instant };
  /** In micro-holocoins, as the balance. */
  readonly debt?: string;
  /** If one is recent: when those of the newest games ended that the player cancelled or missed. */
  readonly missedAt?: readonly Instant[];
  /** Another than the requested one. */
  readonly openGame?: OpenGame;
  /** One of the two has blocked the other (ruling 23), or they share a bank account. */
  readonly isNeverPaired?: true;
  /** The balance, if it is below the buy-in. */
  readonly have?: string;
  readonly isLoggedOut?: true;
  /** An earlier copy of the command, which was carried out. */
  readonly command?: SeatCommand;
}

export interface OpenGame {
  readonly gameId: GameId;
  readonly status: "waiting" | "active";
}

export interface SeatCommand {
  readonly content: string;
  readonly gameId: GameId;
}

export type SeatRefusal = Refusal & { readonly playerId: PlayerId };

/** Ruling 17: how many of a player's newest started games count. */
export const COOL_DOWN_GAMES = 10;
const FIRST_COOL_DOWN_AT_COUNT = 3;
const FIRST_COOL_DOWN_MS = 5 * MINUTE_MS;
export const LATER_COOL_DOWN_MS = 30 * MINUTE_MS;

type Check = (facts: SeatFacts, request: SeatRequest, at: Instant) => Refusal | null;

/** All reasons for which a player gets no seat. The first one that applies is the refusal. */
const CHECKS: readonly Check[] = [
  ({ isBanned }) => (isBanned ? { code: "banned", figures: {} } : null),
  ({ isClosing }) => (isClosing ? { code: "account_closing", figures: {} } : null),
  ({ excludedUntil }) =>
    excludedUntil === undefined ? null : { code: "self_excluded", figures: { until: excludedUntil } },
  ({ isUnderMaintenance }) => (isUnderMaintenance ? { code: "maintenance", figures: {} } : null),
  ({ hasDispute }) => (hasDispute ? { code: "deposit_disputed", figures: {} } : null),
  checkStakeLimit,
  ({ debt }) => (debt === undefined ? null : { code: "debt_open", figures: { need: toCoins(BigInt(debt)) } }),
  checkCoolDown,
  ({ openGame }) =>
    openGame === undefined
      ? null
      : { code: openGame.status === "waiting" ? "pending_game_exists" : "active_game_exists", figures: {} },
  ({ isNeverPaired }) => (isNeverPaired ? { code: "blocked_pair", figures: {} } : null),
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
  return isIneligible(opponent) ? { code: "opponent_busy", figures: {} } : null;
}

/**
 * Whether a player's waiting game is about to be cancelled and must not start (rulings 27 and 33):
 * for personal reasons that last, so neither maintenance nor a limit counts.
 */
export function isIneligible(facts: SeatFacts | undefined): boolean {
  if (facts === undefined) return false;
  const { isBanned, isClosing, excludedUntil, hasDispute, debt } = facts;
  return [isBanned, isClosing, excludedUntil, hasDispute, debt].some((fact) => fact !== undefined);
}

export function findFactsOf<Facts extends SeatFacts>(facts: readonly Facts[], playerId: PlayerId): Facts | undefined {
  return facts.find(({ player }) => player === playerId);
}

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
