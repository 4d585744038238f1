import type { Promotion, Square } from "@holo/rules/rules.ts";
import type { TableCommand } from "./command.ts";
import type { Created, LogRecord, OfferAnswer } from "./log-record.ts";

/** The request as text, to tell a repeat from an id that is reused for something else. */
export function formatContent(command: TableCommand): string {
  switch (command.type) {
    case "move":
      return formatMoveContent(command.path, command.promotion);
    case "answer_draw":
    case "answer_takeback":
    case "answer_rematch":
      return formatAnswerContent(command.type, command.offer, command.answer);
    default:
      return command.type;
  }
}

export function toRecordContent(record: LogRecord): string {
  const first = record.events[0];
  switch (first?.type) {
    case "moved":
      return formatMoveContent(first.path, first.promotion);
    case "joined":
      return "join";
    case "cancelled":
      return "cancel";
    case "draw_offered":
      return "offer_draw";
    case "takeback_requested":
      return "request_takeback";
    case "rematch_offered":
      return "offer_rematch";
    case "draw_answered":
      return formatAnswerContent("answer_draw", first.offer, first.answer);
    case "takeback_answered":
      return formatAnswerContent("answer_takeback", first.offer, first.answer);
    case "rematch_answered":
      return formatAnswerContent("answer_rematch", first.offer, first.answer);
    default:
      return "resign";
  }
}

export function formatCreate(created: Omit<Created, "type" | "player" | "feeBps">): string {
  const terms = `create ${created.game} ${created.stake} ${created.limitMs}`;
  return created.byInvitation === true ? `${terms} by invitation` : terms;
}

function formatAnswerContent(type: string, offer: number, answer: OfferAnswer): string {
  return `${type} ${offer} ${answer}`;
}

function formatMoveContent(path: readonly Square[], promotion: Promotion | undefined): string {
  return `move ${path.join("-")}${promotion ?? ""}`;
}
