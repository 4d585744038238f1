import { formatCoins, formatNaira, toKobo } from "@holo/kernel/money.ts";
import type { FairPlayActView, FairPlayCaseView, FairPlayGameView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { PaymentStatus } from "@holo/protocol/payments/payments.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { KIND_NAMES } from "./case-texts.ts";

export interface TimelineEvent {
  readonly id: string;
  readonly at: number;
  readonly kind: "game" | "payment" | "case" | "act";
  readonly title: string;
  /** What a person wrote. */
  readonly text: string | null;
}

/** What happened, oldest first. */
export function toTimeline(shown: FairPlayCaseView): readonly TimelineEvent[] {
  const { id, kind, openedAt, coins, games, payments, acts } = shown;
  const opened: TimelineEvent = {
    id,
    at: openedAt,
    kind: "case",
    title: `Case opened: ${KIND_NAMES[kind].toLowerCase()}, ${formatCoins(readCoins(coins))} HC`,
    text: null,
  };
  return [...payments.map(toPaymentEvent), ...games.map(toGameEvent), opened, ...acts.map(toActEvent)].toSorted(
    (a, b) => a.at - b.at,
  );
}

/** What is said of a payment that was not simply paid. */
const STATUS_TEXTS: Readonly<Record<PaymentStatus, string>> = {
  pending: ", which waits",
  processing: ", which is on its way",
  completed: "",
  failed: ", which wasn't paid",
  reversed: ", which went back",
  abandoned: ", then cancelled it",
  review: ", which staff look at",
};

function toPaymentEvent({ id, player, kind, kobo, at, status }: FairPlayCaseView["payments"][number]) {
  const sum = formatNaira(toKobo(BigInt(kobo)));
  const verb = kind === "deposit" ? "deposited" : "asked to withdraw";
  const isBegun = kind === "deposit" && (status === "pending" || status === "processing");
  const title = isBegun
    ? `${player.username} began to deposit ${sum}`
    : `${player.username} ${verb} ${sum}${STATUS_TEXTS[status]}`;
  return { id, at, kind: "payment", title, text: null } as const;
}

function toGameEvent({ match: { id, white, black, winner, updatedAt, moveCount } }: FairPlayGameView): TimelineEvent {
  const [first, second] = winner === 2 ? [black, white] : [white, black];
  const verb = winner === null ? "drew with" : "won against";
  const title = `${first?.username ?? ""} ${verb} ${second?.username ?? ""} after ${moveCount} moves`;
  return { id, at: updatedAt, kind: "game", title, text: null };
}

function toActEvent(act: FairPlayActView): TimelineEvent {
  const { id, at, text } = act;
  return { id, at, kind: "act", title: formatAct(act), text };
}

function formatAct({ type, username, given, isAccepted }: FairPlayActView): string {
  const who = username ?? "The server";
  switch (type) {
    case "note":
      return `${who} noted`;
    case "proposed":
      return `${who} proposed to forfeit`;
    case "withdrawn":
      return `${who} withdrew the proposal`;
    case "cleared":
      return `${who} cleared the case`;
    case "forfeited":
      return `${who} confirmed the forfeit: ${formatGiven(given)}`;
    case "released":
      return "Sent by itself: the time was over";
    case "closed":
      return "Closed: the dispute has ended";
    case "message":
      return `${who} wrote`;
    case "appealed":
      return `${who} appealed`;
    case "appeal_answered":
      return `${who} ${isAccepted ? "accepted" : "refused"} the appeal${given.length === 0 ? "" : `: ${formatGiven(given)}`}`;
  }
}

export function formatGiven(given: FairPlayActView["given"]): string {
  return given.map(({ player, coins }) => `${player.username} ${formatCoins(readCoins(coins))} HC`).join(", ");
}
