import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { OfferAnswer } from "./log-record.ts";

/** Moves a player must make after a declined or expired offer before the next one (ruling 18). */
const MOVES_BEFORE_NEW_OFFER = 2;
/** Ruling 32: accepted takebacks of one player in one game. */
export const TAKEBACKS_MAX = 10;
/** Ruling 19. */
export const REMATCH_LIMIT_MS = 60 * SECOND_MS;
/** Rematch offers of one player after one game. */
export const REMATCHES_MAX = 3;

export interface PendingOffer {
  readonly seat: Seat;
  /** The version of the record that made it; an answer names it. */
  readonly version: number;
  readonly at: Instant;
}

/** An offer that can be repeated (ruling 18). */
export interface OfferState {
  readonly pending: PendingOffer | null;
  /** Own moves that each player must have made before their next offer. */
  readonly fromMoves: BySeat<number>;
  /** Whether each player refuses all further offers of this game. */
  readonly refusedBy: BySeat<boolean>;
}

interface RematchOffer extends PendingOffer {
  readonly feeBps: number;
}

interface RematchState {
  readonly pending: RematchOffer | null;
  readonly offered: BySeat<number>;
  /** Whether each player's offer was declined, which is final. */
  readonly declined: BySeat<boolean>;
  readonly gameId: GameId | null;
}

export interface Offers {
  readonly draw: OfferState;
  readonly takeback: OfferState;
  readonly rematch: RematchState;
}

const NO_OFFER: OfferState = { pending: null, fromMoves: [0, 0], refusedBy: [false, false] };

export const NO_OFFERS: Offers = {
  draw: NO_OFFER,
  takeback: NO_OFFER,
  rematch: { pending: null, offered: [0, 0], declined: [false, false], gameId: null },
};

function closeOffer(offer: OfferState, movesMade: BySeat<number>): OfferState {
  const { pending } = offer;
  if (pending === null) return offer;
  const from = ofSeat(movesMade, pending.seat) + MOVES_BEFORE_NEW_OFFER;
  return { ...offer, pending: null, fromMoves: replaceSeat(offer.fromMoves, pending.seat, from) };
}

export function answerOffer(offer: OfferState, by: Seat, answer: OfferAnswer, movesMade: BySeat<number>): OfferState {
  if (answer === "accept") return { ...offer, pending: null };
  const closed = closeOffer(offer, movesMade);
  return answer === "decline" ? closed : { ...closed, refusedBy: replaceSeat(closed.refusedBy, by, true) };
}

/** A move of the receiver expires an offer; the offering player may move meanwhile. */
export function lapseByMove(offers: Offers, mover: Seat, movesMade: BySeat<number>): Offers {
  const isForMover = (offer: OfferState): boolean => offer.pending !== null && offer.pending.seat !== mover;
  if (!isForMover(offers.draw) && !isForMover(offers.takeback)) return offers;
  return {
    ...offers,
    draw: isForMover(offers.draw) ? closeOffer(offers.draw, movesMade) : offers.draw,
    takeback: isForMover(offers.takeback) ? closeOffer(offers.takeback, movesMade) : offers.takeback,
  };
}

export function dropPendingOffers(offers: Offers): Offers {
  return {
    ...offers,
    draw: { ...offers.draw, pending: null },
    takeback: { ...offers.takeback, pending: null },
  };
}
