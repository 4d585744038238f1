import { assertNever } from "@holo/kernel/assert.ts";
import { addMs } from "@holo/kernel/instant.ts";
import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { RematchLapsed } from "@holo/table/entry.ts";
import { REMATCH_LIMIT_MS, REMATCHES_MAX } from "@holo/table/offers.ts";
import { type Terms, toTerms } from "@holo/table/stakes.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";

/** What a game that was played to its end offers next (ruling 19). */
export type RematchView =
  /** Nothing: the game is open or was cancelled, or somebody only watches. */
  | { readonly type: "none" }
  | { readonly type: "started"; readonly gameId: string }
  /** One's own offer waits for an answer until then (ms since 1970 by the server's clock). */
  | { readonly type: "offered"; readonly until: number }
  /** The opponent's offer stands in its bar. */
  | { readonly type: "received" }
  /** No rematch can be offered any more, and why. */
  | { readonly type: "closed"; readonly why: string }
  | {
      readonly type: "open";
      /** What it costs, by today's fee. */
      readonly terms: Terms;
      readonly feeBps: number;
      /** Why it cannot be offered now; null where it can. */
      readonly why: string | null;
      /** What became of the last offer; null where there is nothing to tell. */
      readonly told: string | null;
    };

/** What only the player's own session knows. */
export interface Means {
  readonly balance: Coins;
  readonly hasOpenGame: boolean;
  /** Why they may not, by a limit or a break of their own, in a sentence; null where they may. */
  readonly forbidden: string | null;
}

export interface RematchMeans extends Means {
  /** The fee of games created from now on. */
  readonly feeBps: number;
}

export function toRematchView(scene: Scene, means: RematchMeans): RematchView {
  const { table, rules, awaySinceAt } = scene.shown;
  const { seat } = scene;
  const { rematch } = table.offers;
  if (table.result === null) return { type: "none" };
  if (rematch.gameId !== null) return { type: "started", gameId: rematch.gameId };
  if (seat === null) return { type: "none" };
  if (rematch.standing !== null) {
    if (rematch.standing.seat !== seat) return { type: "received" };
    return { type: "offered", until: addMs(rematch.standing.at, REMATCH_LIMIT_MS) };
  }
  const opponent = toOpponent(seat);
  const name = toName(scene, opponent);
  if (rematch.declined[seat - 1]) return { type: "closed", why: `${name} declined a rematch.` };
  if (rematch.offered[seat - 1]! >= REMATCHES_MAX) {
    return { type: "closed", why: "You have offered a rematch of this game often enough." };
  }
  const terms = toTerms(table.stake, rules.pieceCount, means.feeBps);
  const isAway = awaySinceAt[opponent - 1] != null;
  const why = toShortage(terms, means) ?? (isAway ? `${name} has left the table.` : null);
  return { type: "open", terms, feeBps: means.feeBps, why, told: findTold(scene) };
}

/** Why a player cannot take part in a rematch themselves; null where they can. */
export function toShortage(terms: Terms, { balance, hasOpenGame, forbidden }: Means): string | null {
  if (forbidden !== null) return forbidden;
  if (hasOpenGame) return "You have another game open.";
  if (balance >= terms.entry) return null;
  return `A rematch costs ${formatCoins(terms.entry, "up")} HC, and you have ${formatCoins(balance)}.`;
}

/** The terms of the rematch that is offered, by the fee that its offer names; null where none stands. */
export function toOfferedTerms({ shown: { table, rules } }: Pick<Scene, "shown">): Terms | null {
  const { standing } = table.offers.rematch;
  return standing === null ? null : toTerms(table.stake, rules.pieceCount, standing.feeBps);
}

/** The fate of the last offer, where it ended without an answer. */
function findTold(scene: Scene): string | null {
  const events = scene.shown.entries.flatMap((entry) => entry.events);
  const last = events.findLast(({ type }) => type === "rematch_offered" || type === "rematch_lapsed");
  return last?.type === "rematch_lapsed" ? formatLapse(scene, last) : null;
}

/** Why a rematch came to nothing, said to who is at the page. */
export function formatLapse(scene: Scene, { reason, seat }: RematchLapsed): string {
  const who = seat === scene.seat ? null : toOther(scene, seat);
  switch (reason) {
    case "time":
      return "The rematch was not answered within a minute.";
    case "left":
      return who === null ? "You left the table." : `${who} left the table.`;
    case "other_game":
      return who === null ? "You opened another game." : `${who} opened another game.`;
    case "short_of_coins":
      return who === null
        ? "You have not enough holocoins for a rematch."
        : `${who} has not enough holocoins for a rematch.`;
    case "unavailable":
      return "A rematch cannot start at the moment.";
    default:
      return assertNever(reason);
  }
}

function toOther(scene: Scene, seat: Seat | null): string {
  return seat === null ? "A player" : toName(scene, seat);
}
