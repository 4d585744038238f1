import type { GameId } from "@holo/kernel/ids.ts";
import type { LogRecord, TableEvent, TakenBack } from "@holo/table/log-record.ts";
import type { Notice } from "../../../ui/overlay/notify.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { type InGameOfferKind, type OfferKind, toReceived } from "./offers-view.ts";
import { formatLapse } from "./rematch-view.ts";

type OfferNotification =
  | { readonly type: "notice"; readonly notice: Omit<Notice, "id"> }
  | { readonly type: "received"; readonly kind: OfferKind; readonly title: string; readonly text: string }
  | { readonly type: "rematch"; readonly gameId: GameId; readonly notice: Omit<Notice, "id"> };

const OPENING = "Opening new game...";
const NAMES: Readonly<Record<InGameOfferKind, string>> = { draw: "Draw", takeback: "Takeback" };

export function toOfferNotifications(before: TableViewModel, now: TableViewModel): readonly OfferNotification[] {
  const fresh = now.shown.records.filter(({ version }) => version > before.shown.table.version);
  return [
    ...fresh.flatMap((record) => toRecordNotifications(now, record)),
    ...toLapseNotifications(before, now, fresh),
  ];
}

function toRecordNotifications(viewModel: TableViewModel, record: LogRecord): readonly OfferNotification[] {
  const takenBack = record.events.find((event) => event.type === "taken_back");
  if (takenBack !== undefined) return [toNotice("done", "Takeback Accepted", formatTakenBack(viewModel, takenBack))];
  if (viewModel.seat === null) return [];
  const started = record.events.find((event) => event.type === "rematch_started");
  if (started !== undefined) {
    const title = record.by === viewModel.seat ? "Rematch Accepted!" : "Rematch Started!";
    return [{ type: "rematch", gameId: started.gameId, notice: { kind: "done", title, text: OPENING } }];
  }
  // An agreed draw is announced with the end of the game.
  if (record.events.some((event) => event.type === "ended")) return [];
  return record.events.flatMap((event) => toEventNotifications(viewModel, event));
}

function toEventNotifications(viewModel: TableViewModel, event: TableEvent): readonly OfferNotification[] {
  switch (event.type) {
    case "draw_offered":
      return event.seat === viewModel.seat ? [] : toReceivedNotifications(viewModel, "draw");
    case "takeback_requested":
      return event.seat === viewModel.seat ? [] : toReceivedNotifications(viewModel, "takeback");
    case "rematch_offered":
      return event.seat === viewModel.seat ? [] : toReceivedNotifications(viewModel, "rematch");
    case "draw_answered":
    case "takeback_answered":
    case "rematch_answered": {
      if (event.seat === viewModel.seat || event.answer === "accept") return [];
      const name = toName(viewModel, event.seat);
      const more = event.answer === "decline_all" ? " They've turned off further offers." : "";
      if (event.type === "rematch_answered")
        return [toNotice("notice", "Rematch Declined", `${name} declined a rematch.`)];
      const kind = event.type === "draw_answered" ? "draw" : "takeback";
      return [toNotice("notice", `${NAMES[kind]} Declined`, `${name} declined.${more}`)];
    }
    case "rematch_lapsed":
      return [toNotice("notice", "No rematch", formatLapse(viewModel, event))];
    default:
      return [];
  }
}

function toReceivedNotifications(viewModel: TableViewModel, kind: OfferKind): readonly OfferNotification[] {
  const offer = toReceived(viewModel).find((received) => received.kind === kind);
  return offer === undefined ? [] : [{ type: "received", kind, title: offer.title, text: offer.lines[0] ?? "" }];
}

/**
 * The player's own offers that the opponent's move declined (ruling 18); the log has no event for
 * them.
 */
function toLapseNotifications(
  before: TableViewModel,
  now: TableViewModel,
  fresh: readonly LogRecord[],
): readonly OfferNotification[] {
  const { seat } = now;
  if (seat === null || now.shown.table.status !== "active") return [];
  const isMoved = fresh.some(({ by, events }) => by === toOpponent(seat) && events[0]?.type === "moved");
  if (!isMoved) return [];
  return (["draw", "takeback"] as const).flatMap((kind) => {
    const earlier = before.shown.table.offers[kind].pending;
    const isOpen = earlier?.seat === seat && now.shown.table.offers[kind].pending?.version === earlier.version;
    const isAnswered = fresh.some(({ events }) => events.some(({ type }) => type === `${kind}_answered`));
    const isTakenBack =
      kind === "takeback" && fresh.some(({ events }) => events.some(({ type }) => type === "taken_back"));
    if (earlier?.seat !== seat || isOpen || isAnswered || isTakenBack) return [];
    return [toNotice("notice", `${NAMES[kind]} Declined`, `${toName(now, toOpponent(seat))} moved instead.`)];
  });
}

function formatTakenBack(viewModel: TableViewModel, { seat }: TakenBack): string {
  const subject = seat === viewModel.seat ? "Your last move was" : `${toName(viewModel, seat)}'s last move is`;
  return `${subject} taken back. The clocks stay as they are.`;
}

function toNotice(kind: Notice["kind"], title: string, text: string): OfferNotification {
  return { type: "notice", notice: { kind, title, text } };
}
