import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { replaceSeat } from "./clock.ts";
import type { OfferAnswer } from "./entry.ts";

/** Ruling 18: own moves that a player makes after an offer was declined or lapsed before the same may be asked again. */
const MOVES_BEFORE_ASKING_AGAIN = 2;
/**
 * Takebacks of one game. More than two people would ever ask of each other; without it two programs that always agree could make a log
 * that takes a server seconds to read, since each takeback plays what stays again.
 */
export const TAKEBACKS_MAX = 100;
/** Ruling 19. */
export const REMATCH_LIMIT_MS = 60 * SECOND_MS;
/** Rematches that one player may offer after one game: lapsed ones may be repeated, but not for ever. */
export const REMATCHES_MAX = 3;

/** An offer that waits for the other player's answer. */
export interface StandingOffer {
  readonly seat: Seat;
  /** The version of the entry that made it, by which an answer names it. */
  readonly version: number;
  readonly at: Instant;
}

/** What is asked again and again in a game, and so needs a measure: a draw, or a takeback (ruling 18). */
export interface Asking {
  readonly standing: StandingOffer | null;
  /** How many own moves each player must have made before they may ask (again). */
  readonly fromMoves: readonly [number, number];
  /** Whether each player wants to be asked no more in this game. */
  readonly refusedBy: readonly [boolean, boolean];
}

export interface RematchOffer extends StandingOffer {
  /** The fee both would pay, as it was shown when it was offered. */
  readonly feeBps: number;
}

export interface Rematch {
  readonly standing: RematchOffer | null;
  /** How many each player has offered. */
  readonly offered: readonly [number, number];
  /** Whether each player's offer was declined, which is final. */
  readonly declined: readonly [boolean, boolean];
  /** The game that came of it. */
  readonly gameId: GameId | null;
}

export interface Offers {
  readonly draw: Asking;
  readonly takeback: Asking;
  readonly rematch: Rematch;
}

const NOTHING_ASKED: Asking = { standing: null, fromMoves: [0, 0], refusedBy: [false, false] };

export const NO_OFFERS: Offers = {
  draw: NOTHING_ASKED,
  takeback: NOTHING_ASKED,
  rematch: { standing: null, offered: [0, 0], declined: [false, false], gameId: null },
};

/** The asker's question was declined or has lapsed: they may put it again after two more own moves. */
function closeAsking(asking: Asking, movesMade: readonly [number, number]): Asking {
  const { standing } = asking;
  if (standing === null) return asking;
  const from = movesMade[standing.seat - 1]! + MOVES_BEFORE_ASKING_AGAIN;
  return { ...asking, standing: null, fromMoves: replaceSeat(asking.fromMoves, standing.seat, from) };
}

export function answerAsking(
  asking: Asking,
  by: Seat,
  answer: OfferAnswer,
  movesMade: readonly [number, number],
): Asking {
  if (answer === "accept") return { ...asking, standing: null };
  const closed = closeAsking(asking, movesMade);
  return answer === "decline" ? closed : { ...closed, refusedBy: replaceSeat(closed.refusedBy, by, true) };
}

/** A move of the receiver lets what they were asked lapse; who asked may go on moving meanwhile. */
export function lapseByMove(offers: Offers, mover: Seat, movesMade: readonly [number, number]): Offers {
  const isAsked = (asking: Asking): boolean => asking.standing !== null && asking.standing.seat !== mover;
  if (!isAsked(offers.draw) && !isAsked(offers.takeback)) return offers;
  return {
    ...offers,
    draw: isAsked(offers.draw) ? closeAsking(offers.draw, movesMade) : offers.draw,
    takeback: isAsked(offers.takeback) ? closeAsking(offers.takeback, movesMade) : offers.takeback,
  };
}

/** With the game over nothing is open any more that was asked during it. */
export function dropAskings(offers: Offers): Offers {
  return {
    ...offers,
    draw: { ...offers.draw, standing: null },
    takeback: { ...offers.takeback, standing: null },
  };
}
