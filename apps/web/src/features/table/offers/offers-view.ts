import { addMs } from "@holo/kernel/instant.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { DRAW_AFTER_PLIES, TAKEBACK_AFTER_PLIES } from "@holo/table/decide-offers.ts";
import { type OfferState, type PendingOffer, REMATCH_LIMIT_MS, TAKEBACKS_MAX } from "@holo/table/offers.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

export type InGameOfferKind = "draw" | "takeback";
export type OfferKind = InGameOfferKind | "rematch";

/** A button that makes an offer. */
interface OfferButtonView {
  readonly label: string;
  /** Why it is blocked; null if it is not. */
  readonly blockedReason: string | null;
}

/** An offer from the opponent, as its bar shows it. */
export interface ReceivedOffer {
  readonly kind: OfferKind;
  /** Identifies the offer in the answer. */
  readonly version: number;
  readonly title: string;
  /** What it means, amounts first. */
  readonly lines: readonly string[];
  /** When it expires (ms since 1970 by the server's clock); null for never. */
  readonly until: number | null;
}

export const LABELS: Readonly<
  Record<InGameOfferKind, { readonly open: string; readonly offered: string; readonly theirs: string }>
> = {
  draw: { open: "Offer Draw", offered: "Draw offered", theirs: "has offered a draw" },
  takeback: { open: "Request Takeback", offered: "Takeback requested", theirs: "asks to take a move back" },
};

/** The state of an offer button; null for spectators and before its time (ruling 17). */
export function toOfferButton(viewModel: TableViewModel, kind: InGameOfferKind): OfferButtonView | null {
  const { seat, shown } = viewModel;
  const { table } = shown;
  if (seat === null || table.status !== "active") return null;
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
  if (state.pending !== null) return `${name} ${LABELS[kind].theirs}: answer that first.`;
  if (state.refusedBy[opponent - 1]) return `${name} has turned off further offers.`;
  const wait = state.fromMoves[seat - 1]! - table.movesMade[seat - 1]!;
  if (wait > 0) return `You can ask again after ${wait === 1 ? "one more move" : `${wait} more moves`} of your own.`;
  if (kind === "takeback" && table.moves.length <= TAKEBACK_AFTER_PLIES) return "Not enough moves to take back.";
  if (kind === "takeback" && table.takebacks[seat - 1]! >= TAKEBACKS_MAX) {
    return `You have used all ${TAKEBACKS_MAX} takebacks of this game.`;
  }
  return null;
}

/** All pending offers of the opponent. None hides another. */
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
    lines: [
      `${toName(viewModel, offer.seat)} offers a draw. Stakes returned (minus holo fee): ${back} HC each.`,
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
    lines: [`${formatTakeback(viewModel, offer.seat)} The clocks stay as they are.`, "Making a move declines it."],
    until: null,
  };
}

/** The moves that a takeback removes: the asker's last, and the answer to it if any (ruling 18). */
function formatTakeback(viewModel: TableViewModel, asker: Seat): string {
  const { rules, table, moveTexts } = viewModel.shown;
  const name = toName(viewModel, asker);
  const isAnswered = rules.toMove(table.position) === asker;
  const last = moveTexts.at(isAnswered ? -2 : -1) ?? "";
  return isAnswered
    ? `${name} asks to take back ${last}, and with it your ${moveTexts.at(-1) ?? ""}.`
    : `${name} asks to take back ${last}.`;
}

function toReceivedRematch(
  viewModel: TableViewModel,
  offer: PendingOffer & { readonly feeBps: number },
): ReceivedOffer {
  const { table, rules } = viewModel.shown;
  const { buyIn, stakeTotal, fee, winnings, drawReturn } = toTerms(table.stake, rules.pieceCount, offer.feeBps);
  // Colours are swapped in a rematch (ruling 19), so the acceptor gets the offerer's seat.
  const colour = offer.seat === 1 ? "white" : "black";
  return {
    kind: "rematch",
    version: offer.version,
    title: "Rematch Offer",
    lines: [
      `${toName(viewModel, offer.seat)} wants a rematch. You play ${colour}.`,
      `You pay in ${formatCoins(buyIn, "up")} HC (${formatCoins(stakeTotal)} + ${formatCoins(fee, "up")} fee). Win: you receive ${formatCoins(winnings)} HC. Draw: ${formatCoins(drawReturn)} HC back. Cancelled: all ${formatCoins(buyIn, "up")} HC back.`,
    ],
    until: addMs(offer.at, REMATCH_LIMIT_MS),
  };
}
