import { addMs } from "@holo/kernel/instant.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { DRAW_AFTER_PLIES, TAKEBACK_AFTER_PLIES } from "@holo/table/decide-offers.ts";
import { type OfferState, type PendingOffer, REMATCH_LIMIT_MS, TAKEBACKS_MAX } from "@holo/table/offers.ts";
import { toGameTerms } from "../../../shared/match/match.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

export type InGameOfferKind = "draw" | "takeback";
export type OfferKind = InGameOfferKind | "rematch";

interface OfferButtonView {
  readonly label: string;
  /** Why it is blocked; null if it is not. */
  readonly blockedReason: string | null;
}

export interface ReceivedOffer {
  readonly kind: OfferKind;
  readonly version: number;
  readonly title: string;
  readonly short: string;
  /** The meaning, amounts first. */
  readonly lines: readonly string[];
  /** When it expires (ms since 1970 by the server's clock); null for never. */
  readonly until: number | null;
}

export const LABELS: Readonly<Record<InGameOfferKind, { readonly open: string; readonly offered: string }>> = {
  draw: { open: "Offer Draw", offered: "Draw offered" },
  takeback: { open: "Request Takeback", offered: "Takeback requested" },
};

export function toOwnOffer({ seat, shown }: TableViewModel): { readonly title: string; readonly text: string } | null {
  const { draw, takeback } = shown.table.offers;
  const kinds = [
    draw.pending?.seat === seat && "Draw Offered",
    takeback.pending?.seat === seat && "Takeback Requested",
  ];
  const titles = kinds.filter((title) => title !== false);
  if (seat === null || titles.length === 0) return null;
  return { title: `${titles.join(". ")}.`, text: "Waiting for opponent to accept." };
}

/**
 * The state of an offer button; null for spectators, too early (ruling 17) and while the opponent's
 * offer of the same kind is pending.
 */
export function toOfferButton(viewModel: TableViewModel, kind: InGameOfferKind): OfferButtonView | null {
  const { seat, shown } = viewModel;
  const { table } = shown;
  if (seat === null || table.status !== "active") return null;
  // The opponent's offer is answered first, in its own bar.
  if (isReceived(viewModel, table.offers[kind].pending)) return null;
  if (table.pliesEver < (kind === "draw" ? DRAW_AFTER_PLIES : TAKEBACK_AFTER_PLIES + 1)) return null;
  const state = table.offers[kind];
  const isOffered = state.pending?.seat === seat;
  return {
    label: isOffered ? LABELS[kind].offered : LABELS[kind].open,
    blockedReason: findBlockedReason(viewModel, kind, state, seat),
  };
}

function findBlockedReason(
  viewModel: TableViewModel,
  kind: InGameOfferKind,
  state: OfferState,
  seat: Seat,
): string | null {
  const { table } = viewModel.shown;
  const opponent = toOpponent(seat);
  const name = toName(viewModel, opponent);
  if (state.pending?.seat === seat) return `Waiting for ${name} to answer.`;
  if (ofSeat(state.refusedBy, opponent)) return `${name} has turned off further offers.`;
  const wait = ofSeat(state.fromMoves, seat) - ofSeat(table.movesMade, seat);
  if (wait > 0) return `You can ask again after ${wait === 1 ? "one more move" : `${wait} more moves`} of your own.`;
  if (kind === "takeback" && table.moves.length <= TAKEBACK_AFTER_PLIES) return "Not enough moves to take back.";
  if (kind === "takeback" && ofSeat(table.takebacks, seat) >= TAKEBACKS_MAX) {
    return `You have used all ${TAKEBACKS_MAX} takebacks of this game.`;
  }
  return null;
}

export function toReceived(viewModel: TableViewModel): readonly ReceivedOffer[] {
  const { draw, takeback, rematch } = viewModel.shown.table.offers;
  return [toReceivedDraw(viewModel, draw.pending), toReceivedTakeback(viewModel, takeback.pending)]
    .concat(isReceived(viewModel, rematch.pending) ? toReceivedRematch(viewModel, rematch.pending) : null)
    .filter((received) => received !== null);
}

function isReceived<Offer extends PendingOffer>(viewModel: TableViewModel, offer: Offer | null): offer is Offer {
  return offer !== null && viewModel.seat !== null && offer.seat !== viewModel.seat;
}

function toReceivedDraw(viewModel: TableViewModel, offer: PendingOffer | null): ReceivedOffer | null {
  if (!isReceived(viewModel, offer)) return null;
  const back = formatCoins(viewModel.terms.drawReturn);
  return {
    kind: "draw",
    version: offer.version,
    title: "Draw Offer",
    short: viewModel.isFree ? "Nobody wins" : `${back} HC each`,
    lines: [
      `${toName(viewModel, offer.seat)} offers a draw.${viewModel.isFree ? "" : ` Stakes returned (minus holo fee): ${back} HC each.`}`,
      "Making a move declines it.",
    ],
    until: null,
  };
}

function toReceivedTakeback(viewModel: TableViewModel, offer: PendingOffer | null): ReceivedOffer | null {
  if (!isReceived(viewModel, offer)) return null;
  return {
    kind: "takeback",
    version: offer.version,
    title: "Takeback Request",
    short: listTakenBack(viewModel, offer.seat).join(", "),
    lines: [`${formatTakeback(viewModel, offer.seat)} The clocks stay as they are.`, "Making a move declines it."],
    until: null,
  };
}

function formatTakeback(viewModel: TableViewModel, requester: Seat): string {
  const [last, answer] = listTakenBack(viewModel, requester);
  const question = `${toName(viewModel, requester)} asks to take back ${last}`;
  return answer === undefined ? `${question}.` : `${question}, and with it your ${answer}.`;
}

/** The moves that a takeback removes: the last of `requester`, and the reply to it (ruling 18). */
function listTakenBack({ shown }: TableViewModel, requester: Seat): readonly string[] {
  const { rules, table, moveTexts } = shown;
  return moveTexts.slice(rules.toMove(table.position) === requester ? -2 : -1);
}

function toReceivedRematch(
  viewModel: TableViewModel,
  offer: PendingOffer & { readonly feeBps: number },
): ReceivedOffer {
  const { table } = viewModel.shown;
  const { buyIn, stakeTotal, fee, winnings, drawReturn } = toGameTerms(table.game, table.stake, offer.feeBps);
  // Colours are swapped in a rematch (ruling 19), so the acceptor gets the offerer's seat.
  const colour = offer.seat === 1 ? "white" : "black";
  const cost = `You pay in ${formatCoins(buyIn, "up")} HC (${formatCoins(stakeTotal)} + ${formatCoins(fee, "up")} fee).`;
  const outcomes = `Win: you receive ${formatCoins(winnings)} HC. Draw: ${formatCoins(drawReturn)} HC back. Cancelled: all ${formatCoins(buyIn, "up")} HC back.`;
  return {
    kind: "rematch",
    version: offer.version,
    title: "Rematch Offer",
    short: viewModel.isFree ? "Free game" : cost,
    lines: [
      `${toName(viewModel, offer.seat)} wants a rematch. You play ${colour}.`,
      ...(viewModel.isFree ? [] : [`${cost} ${outcomes}`]),
    ],
    until: addMs(offer.at, REMATCH_LIMIT_MS),
  };
}
