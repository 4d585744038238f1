import { assertNever } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import { type Coins, formatCoins } from "@holo/kernel/money.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { RematchLapsed } from "@holo/table/log-record.ts";
import { REMATCH_LIMIT_MS, REMATCHES_MAX } from "@holo/table/offers.ts";
import type { Terms } from "@holo/table/platform-fee.ts";
import { toGameTerms } from "../../../shared/match/match.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

/** The rematch state after a finished game (ruling 19). */
export type RematchView =
  | { readonly type: "none" }
  | { readonly type: "started"; readonly gameId: GameId }
  /** The player's own offer is pending until then (ms since 1970 by the server's clock). */
  | { readonly type: "offered"; readonly until: number }
  | { readonly type: "received" }
  | { readonly type: "closed"; readonly reason: string }
  | {
      readonly type: "open";
      readonly terms: Terms;
      readonly feeBps: number;
      /** Why it cannot be offered now; null if it can. */
      readonly blockedReason: string | null;
      readonly lapse: string | null;
    };

interface Funds {
  readonly balance: Coins;
  readonly hasOpenGame: boolean;
  readonly restriction: string | null;
}

export interface RematchFunds extends Funds {
  readonly feeBps: number;
}

export function toRematchView(viewModel: TableViewModel, funds: RematchFunds): RematchView {
  const { table, awaySinceAt } = viewModel.shown;
  const { seat } = viewModel;
  const { rematch } = table.offers;
  if (table.result === null) return { type: "none" };
  if (rematch.gameId !== null) return { type: "started", gameId: rematch.gameId };
  if (seat === null) return { type: "none" };
  if (rematch.pending !== null) {
    if (rematch.pending.seat !== seat) return { type: "received" };
    return { type: "offered", until: addMs(rematch.pending.at, REMATCH_LIMIT_MS) };
  }
  const opponent = toOpponent(seat);
  const name = toName(viewModel, opponent);
  if (ofSeat(rematch.declined, seat)) return { type: "closed", reason: `${name} declined a rematch.` };
  if (ofSeat(rematch.offered, seat) >= REMATCHES_MAX) {
    return { type: "closed", reason: "You can't offer another rematch of this game." };
  }
  const terms = toGameTerms(table.game, table.stake, funds.feeBps);
  const isAway = ofSeat(awaySinceAt, opponent) != null;
  const blockedReason = toShortage(terms, funds) ?? (isAway ? `${name} has left the table.` : null);
  return { type: "open", terms, feeBps: funds.feeBps, blockedReason, lapse: findLapse(viewModel) };
}

export function toShortage(terms: Terms, { balance, hasOpenGame, restriction }: Funds): string | null {
  if (restriction !== null) return restriction;
  if (hasOpenGame) return "You have another game open.";
  if (balance >= terms.buyIn) return null;
  return `A rematch costs ${formatCoins(terms.buyIn, "up")} HC, and you have ${formatCoins(balance)}.`;
}

export function toOfferedTerms({ shown: { table } }: Pick<TableViewModel, "shown">): Terms | null {
  const { pending } = table.offers.rematch;
  return pending === null ? null : toGameTerms(table.game, table.stake, pending.feeBps);
}

function findLapse(viewModel: TableViewModel): string | null {
  const events = viewModel.shown.records.flatMap(({ events: each }) => each);
  const last = events.findLast(({ type }) => type === "rematch_offered" || type === "rematch_lapsed");
  return last?.type === "rematch_lapsed" ? formatLapse(viewModel, last) : null;
}

/** Why a rematch did not happen, from the viewer's side. */
export function formatLapse(viewModel: TableViewModel, { reason, seat }: RematchLapsed): string {
  const name = seat === viewModel.seat ? null : toOpponentName(viewModel, seat);
  switch (reason) {
    case "time":
      return "The rematch was not answered within a minute.";
    case "left":
      return name === null ? "You left the table." : `${name} left the table.`;
    case "other_game":
      return name === null ? "You opened another game." : `${name} opened another game.`;
    case "short_of_coins":
      return name === null
        ? "You don't have enough holocoins for a rematch."
        : `${name} doesn't have enough holocoins for a rematch.`;
    case "unavailable":
      return "A rematch can't start right now.";
    default:
      return assertNever(reason);
  }
}

function toOpponentName(viewModel: TableViewModel, seat: Seat | null): string {
  return seat === null ? "A player" : toName(viewModel, seat);
}
