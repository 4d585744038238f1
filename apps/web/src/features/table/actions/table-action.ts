import { assertNever } from "@holo/kernel/assert.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { Command } from "../../../lib/socket/command-queue.ts";

export type TableAction = Extract<
  Command,
  {
    readonly type:
      | "cancel"
      | "resign"
      | "offer_draw"
      | "request_takeback"
      | "offer_rematch"
      | "answer_draw"
      | "answer_takeback"
      | "answer_rematch";
  }
>;

/** The refusal's text; for a fault, the text from the specification. */
export function formatActionRefusal(
  action: TableAction,
  { code, title, text }: RefusalView,
): { readonly title: string; readonly text: string } {
  const isFault = code === "something_went_wrong" || code === "unavailable";
  return { title, text: isFault ? formatActionFailure(action) : text };
}

function formatActionFailure(action: TableAction): string {
  switch (action.type) {
    case "cancel":
      return "Failed to cancel game.";
    case "resign":
      return "Failed to resign from game.";
    case "offer_draw":
      return "Failed to offer draw.";
    case "request_takeback":
      return "Failed to request takeback.";
    case "offer_rematch":
      return "Failed to offer rematch.";
    case "answer_draw":
      return action.answer === "accept" ? "Failed to accept draw." : "Failed to decline draw.";
    case "answer_takeback":
      return "Failed to respond to takeback.";
    case "answer_rematch":
      return action.answer === "accept" ? "Failed to accept rematch" : "Failed to decline rematch";
    default:
      return assertNever(action);
  }
}
