import type { Entry, TableEvent, TakenBack } from "@holo/table/entry.ts";
import type { Notice } from "../../ui/notify.ts";
import { type AskKind, type OfferKind, toReceived } from "./offers-view.ts";
import { formatLapse } from "./rematch-view.ts";
import { type Scene, toName, toOpponent } from "./scene.ts";

/** What is told of offers as they come and go. What stood before the page came is shown, but makes no noise. */
export type OfferNews =
  | { readonly type: "told"; readonly notice: Omit<Notice, "id"> }
  /** The opponent asks for something: its bar stands from now on. */
  | { readonly type: "received"; readonly kind: OfferKind; readonly title: string; readonly text: string }
  /** Both go to the next game. */
  | { readonly type: "rematch"; readonly gameId: string; readonly notice: Omit<Notice, "id"> };

const WAITING = "Waiting for opponent to accept.";
const OPENING = "Opening new game...";
const NAMES: Readonly<Record<AskKind, string>> = { draw: "Draw", takeback: "Takeback" };

/** What happened between two views of a table. Watchers are told of takebacks alone, since they change the board. */
export function toOfferNews(before: Scene, now: Scene): readonly OfferNews[] {
  const fresh = now.shown.entries.filter(({ version }) => version > before.shown.table.version);
  return [...fresh.flatMap((entry) => toEntryNews(now, entry)), ...toLapseNews(before, now, fresh)];
}

function toEntryNews(scene: Scene, entry: Entry): readonly OfferNews[] {
  const taken = entry.events.find((event) => event.type === "taken_back");
  if (taken !== undefined) return [told("done", "Takeback Accepted", formatTakenBack(scene, taken))];
  if (scene.seat === null) return [];
  const started = entry.events.find((event) => event.type === "rematch_started");
  if (started !== undefined) {
    // who accepts has the last word; to the other it is news
    const title = entry.by === scene.seat ? "Rematch Accepted!" : "Rematch Started!";
    return [{ type: "rematch", gameId: started.gameId, notice: { kind: "done", title, text: OPENING } }];
  }
  // a draw that both agreed to is told with the end of the game
  if (entry.events.some((event) => event.type === "ended")) return [];
  return entry.events.flatMap((event) => toEventNews(scene, event));
}

function toEventNews(scene: Scene, event: TableEvent): readonly OfferNews[] {
  switch (event.type) {
    case "draw_offered":
      return event.seat === scene.seat ? [told("notice", "Draw Offered", WAITING)] : toReceivedNews(scene, "draw");
    case "takeback_requested":
      return event.seat === scene.seat
        ? [told("notice", "Takeback Requested", WAITING)]
        : toReceivedNews(scene, "takeback");
    case "rematch_offered":
      return event.seat === scene.seat
        ? [told("notice", "Rematch Offered", WAITING)]
        : toReceivedNews(scene, "rematch");
    case "draw_answered":
    case "takeback_answered":
    case "rematch_answered": {
      if (event.seat === scene.seat || event.answer === "accept") return [];
      const name = toName(scene, event.seat);
      const more = event.answer === "decline_all" ? " They want to be asked no more in this game." : "";
      if (event.type === "rematch_answered") return [told("notice", "Rematch Declined", `${name} declined a rematch.`)];
      const kind = event.type === "draw_answered" ? "draw" : "takeback";
      return [told("notice", `${NAMES[kind]} Declined`, `${name} declined.${more}`)];
    }
    case "rematch_lapsed":
      return [told("notice", "No rematch", formatLapse(scene, event))];
    default:
      return [];
  }
}

/** Only what still stands: what was answered or has lapsed in the meantime needs nobody's attention. */
function toReceivedNews(scene: Scene, kind: OfferKind): readonly OfferNews[] {
  const offer = toReceived(scene).find((received) => received.kind === kind);
  return offer === undefined ? [] : [{ type: "received", kind, title: offer.title, text: offer.lines[0] ?? "" }];
}

/** One's own offers that the other player's move declined (ruling 18): the log has no word for it. */
function toLapseNews(before: Scene, now: Scene, fresh: readonly Entry[]): readonly OfferNews[] {
  const { seat } = now;
  if (seat === null || now.shown.table.status !== "active") return [];
  const isMoved = fresh.some(({ by, events }) => by === toOpponent(seat) && events[0]?.type === "moved");
  if (!isMoved) return [];
  return (["draw", "takeback"] as const).flatMap((kind) => {
    const stood = before.shown.table.offers[kind].standing;
    const isOpen = stood?.seat === seat && now.shown.table.offers[kind].standing?.version === stood.version;
    const isAnswered = fresh.some(({ events }) => events.some(({ type }) => type === `${kind}_answered`));
    const isTaken = kind === "takeback" && fresh.some(({ events }) => events.some(({ type }) => type === "taken_back"));
    if (stood?.seat !== seat || isOpen || isAnswered || isTaken) return [];
    return [told("notice", `${NAMES[kind]} Declined`, `${toName(now, toOpponent(seat))} moved instead.`)];
  });
}

function formatTakenBack(scene: Scene, { seat }: TakenBack): string {
  const who = seat === scene.seat ? "Your last move is" : `${toName(scene, seat)}'s last move is`;
  return `${who} taken back. The clocks stay as they are.`;
}

function told(kind: Notice["kind"], title: string, text: string): OfferNews {
  return { type: "told", notice: { kind, title, text } };
}
