import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";

export type MatchCommandType = "create" | "join" | "cancel";

/** The texts of specification 8. */
const FAILURES: Readonly<Record<MatchCommandType, string>> = {
  create: "Failed to create match. Please try again.",
  join: "Failed to join match. Please try again.",
  cancel: "Failed to cancel match",
};

/** The refusal's title and text, or those of specification 8 if it has its own. */
export function toFailureText(
  command: MatchCommandType,
  { code, title, text }: RefusalView,
): { title: string; text: string } {
  if (code === "something_went_wrong" || code === "unavailable") return { title, text: FAILURES[command] };
  // The balance shrank after this page checked it.
  if (code === "insufficient_to_create")
    return { title: "Error", text: `Insufficient balance to create this match. ${text}` };
  return { title, text };
}
