import { addMs } from "@holo/kernel/instant.ts";
import { formatCoins } from "@holo/kernel/money.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { DRAW_AFTER_PLIES, TAKEBACK_AFTER_PLIES } from "@holo/table/decide-offers.ts";
import { type Asking, REMATCH_LIMIT_MS, type StandingOffer, TAKEBACKS_MAX } from "@holo/table/offers.ts";
import { toTerms } from "@holo/table/stakes.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";

export type AskKind = "draw" | "takeback";
export type OfferKind = AskKind | "rematch";

/** A button that asks the opponent for something. */
export interface Ask {
  readonly label: string;
  /** Why it cannot be asked now, in a sentence; null where it can. */
  readonly why: string | null;
}

/** What the opponent asks, as the bar over the banner says it. */
export interface ReceivedOffer {
  readonly kind: OfferKind;
  /** Names the offer in the answer. */
  readonly version: number;
  readonly title: string;
  /** What it means, sums first. */
  readonly lines: readonly string[];
  /** When it lapses by itself (ms since 1970 by the server's clock); null for never. */
  readonly until: number | null;
}

const LABELS: Readonly<Record<AskKind, { readonly open: string; readonly asked: string; readonly theirs: string }>> = {
  draw: { open: "Offer Draw", asked: "Draw offered", theirs: "has offered a draw" },
  takeback: { open: "Request Takeback", asked: "Takeback requested", theirs: "asks to take a move back" },
};

/** How Offer Draw or Request Takeback stands; null where it has no place at all: for watchers, and before its time (ruling 17). */
export function toAsk(scene: Scene, kind: AskKind): Ask | null {
  const { seat, shown } = scene;
  const { table } = shown;
  if (seat === null || table.status !== "active") return null;
  if (table.pliesEver < (kind === "draw" ? DRAW_AFTER_PLIES : TAKEBACK_AFTER_PLIES + 1)) return null;
  const asking = table.offers[kind];
  const isAsked = asking.standing?.seat === seat;
  return { label: isAsked ? LABELS[kind].asked : LABELS[kind].open, why: findHindrance(scene, kind, asking, seat) };
}

function findHindrance(scene: Scene, kind: AskKind, asking: Asking, seat: Seat): string | null {
  const { table } = scene.shown;
  const opponent = toOpponent(seat);
  const name = toName(scene, opponent);
  if (asking.standing?.seat === seat) return `Waiting for ${name} to answer.`;
  if (asking.standing !== null) return `${name} ${LABELS[kind].theirs}: answer that first.`;
  if (asking.refusedBy[opponent - 1]) return `${name} wants to be asked no more in this game.`;
  const wait = asking.fromMoves[seat - 1]! - table.movesMade[seat - 1]!;
  if (wait > 0) return `You can ask again after ${wait === 1 ? "one more move" : `${wait} more moves`} of your own.`;
  if (kind === "takeback" && table.moves.length <= TAKEBACK_AFTER_PLIES) return "Not enough moves to take back.";
  if (kind === "takeback" && table.takebacks >= TAKEBACKS_MAX) return "No more moves can be taken back in this game.";
  return null;
}

/** Everything the opponent waits to have answered. One never hides another. */
export function toReceived(scene: Scene): readonly ReceivedOffer[] {
  const { draw, takeback, rematch } = scene.shown.table.offers;
  return [toReceivedDraw(scene, draw.standing), toReceivedTakeback(scene, takeback.standing)]
    .concat(isReceived(scene, rematch.standing) ? toReceivedRematch(scene, rematch.standing) : null)
    .filter((offer) => offer !== null);
}

function isReceived<Offer extends StandingOffer>(scene: Scene, standing: Offer | null): standing is Offer {
  return standing !== null && scene.seat !== null && standing.seat !== scene.seat;
}

function toReceivedDraw(scene: Scene, standing: StandingOffer | null): ReceivedOffer | null {
  if (!isReceived(scene, standing)) return null;
  const back = formatCoins(scene.terms.drawReturn);
  return {
    kind: "draw",
    version: standing.version,
    title: "Draw Offer",
    lines: [
      `${toName(scene, standing.seat)} offers a draw. Stakes returned (minus holo fee): ${back} HC each.`,
      "A move of yours declines it.",
    ],
    until: null,
  };
}

function toReceivedTakeback(scene: Scene, standing: StandingOffer | null): ReceivedOffer | null {
  if (!isReceived(scene, standing)) return null;
  return {
    kind: "takeback",
    version: standing.version,
    title: "Takeback Request",
    lines: [`${formatTakeback(scene, standing.seat)} The clocks stay as they are.`, "A move of yours declines it."],
    until: null,
  };
}

/** Which moves go back: the asker's last, and the answer to it where there is one (ruling 18). */
function formatTakeback(scene: Scene, asker: Seat): string {
  const { rules, table, moveTexts } = scene.shown;
  const name = toName(scene, asker);
  const isAnswered = rules.toMove(table.position) === asker;
  const last = moveTexts.at(isAnswered ? -2 : -1) ?? "";
  return isAnswered
    ? `${name} asks to take back ${last}, and with it your ${moveTexts.at(-1) ?? ""}.`
    : `${name} asks to take back ${last}.`;
}

function toReceivedRematch(scene: Scene, standing: StandingOffer & { readonly feeBps: number }): ReceivedOffer {
  const { table, rules } = scene.shown;
  const { entry, stakeTotal, fee, winnings, drawReturn } = toTerms(table.stake, rules.pieceCount, standing.feeBps);
  // the colours are swapped, and the asker's seat is the one to sit on (ruling 19)
  const colour = standing.seat === 1 ? "white" : "black";
  return {
    kind: "rematch",
    version: standing.version,
    title: "Rematch Offer",
    lines: [
      `${toName(scene, standing.seat)} offers the same game once more. You play ${colour}.`,
      `You pay in ${formatCoins(entry, "up")} HC (${formatCoins(stakeTotal)} + ${formatCoins(fee, "up")} fee). Win: you receive ${formatCoins(winnings)} HC. Draw: ${formatCoins(drawReturn)} HC back. Cancelled: all ${formatCoins(entry, "up")} HC back.`,
    ],
    until: addMs(standing.at, REMATCH_LIMIT_MS),
  };
}
