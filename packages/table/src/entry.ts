import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { DrawReason, GameType, Promotion, Seat, Square, WinReason } from "@holo/rules/rules.ts";
import type { Stake } from "./stakes.ts";

/**
 * The format of entries written today: 2 knows offers, takebacks and rematches, 3 games that the
 * house cancelled. Older formats stay readable for ever.
 */
export const ENTRY_FORMAT = 3;

export type EndReason =
  | WinReason
  | DrawReason
  | "resignation"
  /** A draw that one offered and the other accepted. */
  | "agreement"
  /** The loser's time ran out. */
  | "time"
  /** Time ran out against a side that cannot mate by any series of legal moves (ruling 14). */
  | "time_without_material";

/** Who cancelled an active game or let it lapse; the other is told why (ruling 15). */
export type CancelReason =
  /** A player pressed Cancel. */
  | "player"
  /** Nobody joined within 30 minutes. */
  | "not_joined"
  /** A first move was not made within 60 s. */
  | "first_move"
  /** A player did not come back after an outage of ours (ruling 16). */
  | "void"
  /** Somebody of the house did, of a game that was broken. */
  | "house";

export interface Created {
  readonly type: "created";
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  readonly player: PlayerId;
  /** The game after which both agreed to this one. */
  readonly rematchOf?: GameId;
}

export interface Joined {
  readonly type: "joined";
  readonly player: PlayerId;
}

export interface Moved {
  readonly type: "moved";
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
  /** What the move cost its player, after the network's share. */
  readonly chargedMs: number;
  /** Both clocks after the move; facts, never computed again. */
  readonly remainingMs: readonly [number, number];
}

export interface Ended {
  readonly type: "ended";
  readonly winner: Seat | null;
  readonly reason: EndReason;
  readonly remainingMs: readonly [number, number];
}

export interface Cancelled {
  readonly type: "cancelled";
  readonly reason: CancelReason;
  /** Who pressed Cancel, or who missed the first move; null where it was nobody's doing. */
  readonly seat: Seat | null;
  /** Why, in the words of who did it for the house; there for that reason alone. */
  readonly note?: string;
}

/** An outage of ours was made good (ruling 16). */
export interface ClockCredited {
  readonly type: "clock_credited";
  readonly outageFromAt: Instant;
  readonly outageToAt: Instant;
  readonly remainingMs: readonly [number, number];
  /** After more than 60 s of outage a clock runs again only once its owner is back. */
  readonly awaiting: boolean;
}

/** A player whom the table waited for after an outage is back. */
export interface Returned {
  readonly type: "returned";
  readonly seat: Seat;
}

/** `decline_all` also refuses all further ones of this game (ruling 18). */
export const OFFER_ANSWERS = ["accept", "decline", "decline_all"] as const;
export type OfferAnswer = (typeof OFFER_ANSWERS)[number];

/** It stands until it is answered or the other player moves (ruling 18). */
export interface DrawOffered {
  readonly type: "draw_offered";
  readonly seat: Seat;
}

export interface TakebackRequested {
  readonly type: "takeback_requested";
  readonly seat: Seat;
}

/** What the other player said; an acceptance is followed by what it brought about. */
export interface OfferAnswered {
  readonly type: "draw_answered" | "takeback_answered" | "rematch_answered";
  readonly seat: Seat;
  /** The version of the entry that made the offer. */
  readonly offer: number;
  readonly answer: OfferAnswer;
}

/** The board is again what it was before the asker's last move. */
export interface TakenBack {
  readonly type: "taken_back";
  /** Who asked for it, and is to move now. */
  readonly seat: Seat;
  readonly plies: 1 | 2;
  readonly remainingMs: readonly [number, number];
}

/** The same game, stake and time once more, with the colours swapped (ruling 19). */
export interface RematchOffered {
  readonly type: "rematch_offered";
  readonly seat: Seat;
  readonly feeBps: number;
}

export interface RematchStarted {
  readonly type: "rematch_started";
  readonly gameId: GameId;
  /** The fee both agreed to. */
  readonly feeBps: number;
}

const REMATCH_LAPSES = ["time", "left", "other_game", "short_of_coins", "unavailable"] as const;
export type RematchLapse = (typeof REMATCH_LAPSES)[number];

export interface RematchLapsed {
  readonly type: "rematch_lapsed";
  readonly reason: RematchLapse;
  /** Whose doing it was; null where it was nobody's. */
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
  | DrawOffered
  | TakebackRequested
  | OfferAnswered
  | TakenBack
  | RematchOffered
  | RematchStarted
  | RematchLapsed;

/** One row of a game's log: what one command brought about. */
export interface Entry {
  /** Numbered from 1 without gaps. */
  readonly version: number;
  readonly at: Instant;
  /** Whose command it was; 0 is the house (clocks, outages). */
  readonly by: Seat | 0;
  readonly events: readonly TableEvent[];
  /** Sent only to the player whose command it was. */
  readonly commandId?: CommandId;
  /** The network's share that was not charged, in the record of the game once it ended (ruling 16). */
  readonly lagMs?: number;
}
