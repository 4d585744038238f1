import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { DRAW_REASONS, GameType, Promotion, Seat, Square, WIN_REASONS } from "@holo/rules/rules.ts";
import type { Stake } from "./stakes.ts";

/** Stored with each record. A release that reads records in another way raises it. */
export const LOG_FORMAT = 1;

/** Ruling 32: a move that makes the log this long ends the game as a draw. */
export const LOG_RECORDS_MAX = 2_000;

export type EndReason =
  | (typeof WIN_REASONS)[number]
  | (typeof DRAW_REASONS)[number]
  | "resignation"
  /** A draw that one offered and the other accepted. */
  | "agreement"
  | "time"
  /** Time ran out against a side that cannot mate by any series of legal moves (ruling 14). */
  | "time_without_material"
  /** A draw: the log has reached its limit (ruling 32). */
  | "too_long";

/** Why a game was cancelled or expired; the opponent sees it (ruling 15). */
export type CancelReason =
  | "player"
  /** No player joined within 30 minutes. */
  | "not_joined"
  /** Matchmaking seated its creator in another game that waited on the same terms. */
  | "paired_elsewhere"
  /** A first move was not made within 60 s. */
  | "first_move"
  /** Neither player returned after an outage of the platform (ruling 31). */
  | "void"
  /** Staff cancelled a broken game. */
  | "staff";

/** How the two players met, for the fair-play signals (ruling 42). */
export type Pairing =
  | "matchmaking"
  /** Chosen in the lobby or joined by the game's address. */
  | "address"
  /** The joiner had the creator's link. */
  | "invitation"
  | "rematch";

export interface Created {
  readonly type: "created";
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  readonly player: PlayerId;
  readonly rematchOf?: GameId;
  /** Only a player with the creator's link can join. */
  readonly byInvitation?: true;
}

export interface Joined {
  readonly type: "joined";
  readonly player: PlayerId;
  readonly pairing: Pairing;
}

export interface Moved {
  readonly type: "moved";
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
  /** Without network time. */
  readonly chargedMs: number;
  /** Both clocks after the move. Facts, never recomputed. */
  readonly remainingMs: BySeat<number>;
}

export interface Ended {
  readonly type: "ended";
  readonly winner: Seat | null;
  readonly reason: EndReason;
  readonly remainingMs: BySeat<number>;
}

export interface Cancelled {
  readonly type: "cancelled";
  readonly reason: CancelReason;
  /** The player who pressed Cancel or missed the first move; null for neither. */
  readonly seat: Seat | null;
  /** Reason "staff" only: the explanation by staff. */
  readonly note?: string;
}

/** Time lost in an outage was given back (rulings 16, 30). The turn restarts. */
export interface ClockCredited {
  readonly type: "clock_credited";
  readonly outageFromAt: Instant;
  readonly outageToAt: Instant;
  /** Both clocks: the running one charged up to this record without the outage, plus the bonus. */
  readonly remainingMs: BySeat<number>;
  /** Part of `remainingMs`. */
  readonly bonusMs: number;
  /** After an outage of more than 60 s a clock runs again only after its player has returned. */
  readonly awaiting: boolean;
}

/** A player whom the table awaited after an outage has returned. */
interface Returned {
  readonly type: "returned";
  readonly seat: Seat;
}

/** This player did not return in time, but the opponent did: the clock runs (ruling 31). */
interface WaitEnded {
  readonly type: "wait_ended";
  readonly seat: Seat;
}

/** `decline_all` also refuses all further offers in this game (ruling 18). */
export const OFFER_ANSWERS = ["accept", "decline", "decline_all"] as const;
export type OfferAnswer = (typeof OFFER_ANSWERS)[number];

/** Pending until answered or until the opponent moves (ruling 18). */
interface DrawOffered {
  readonly type: "draw_offered";
  readonly seat: Seat;
}

interface TakebackRequested {
  readonly type: "takeback_requested";
  readonly seat: Seat;
}

/** An acceptance is followed by the event that it caused. */
export interface OfferAnswered {
  readonly type: "draw_answered" | "takeback_answered" | "rematch_answered";
  readonly seat: Seat;
  /** The version of the record with the offer. */
  readonly offer: number;
  readonly answer: OfferAnswer;
}

/** The board is back to before the last move of `seat`. */
export interface TakenBack {
  readonly type: "taken_back";
  /** The player who requested it, and who is to move now. */
  readonly seat: Seat;
  readonly plies: 1 | 2;
  readonly remainingMs: BySeat<number>;
}

/** The same game, stake and time again, with colours swapped (ruling 19). */
interface RematchOffered {
  readonly type: "rematch_offered";
  readonly seat: Seat;
  readonly feeBps: number;
}

export interface RematchStarted {
  readonly type: "rematch_started";
  readonly gameId: GameId;
  readonly feeBps: number;
}

const REMATCH_LAPSES = ["time", "left", "other_game", "short_of_coins", "unavailable"] as const;
export type RematchLapse = (typeof REMATCH_LAPSES)[number];

export interface RematchLapsed {
  readonly type: "rematch_lapsed";
  readonly reason: RematchLapse;
  /** The player who caused it, null for none. */
  readonly seat: Seat | null;
}

export type TableEvent =
  | Created
  | Joined
  | Moved
  | Ended
  | Cancelled
  | ClockCredited
  | Returned
  | WaitEnded
  | DrawOffered
  | TakebackRequested
  | OfferAnswered
  | TakenBack
  | RematchOffered
  | RematchStarted
  | RematchLapsed;

export interface LogRecord {
  /** From 1 without gaps. */
  readonly version: number;
  readonly at: Instant;
  /** The seat whose command it was; 0 is the platform (clocks, outages). */
  readonly by: Seat | 0;
  readonly events: readonly TableEvent[];
  /** Sent to that player only. */
  readonly commandId?: CommandId;
  /** Network time that was not charged; shown after the end of the game (ruling 16). */
  readonly lagMs?: number;
}
