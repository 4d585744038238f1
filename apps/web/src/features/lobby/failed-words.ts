import type { RefusalView } from "@holo/protocol/refusals.ts";

export type LobbyAct = "create" | "join" | "cancel";

/** What a player reads when it was nobody's doing (specification 8). */
const FAILURES: Readonly<Record<LobbyAct, string>> = {
  create: "Failed to create match. Please try again.",
  join: "Failed to join match. Please try again.",
  cancel: "Failed to cancel match",
};

/** The words about an act of the lobby that was not carried out: the refusal's own, and the specification's where it has others. */
export function toFailedWords(act: LobbyAct, { code, title, text }: RefusalView): { title: string; text: string } {
  if (code === "something_went_wrong" || code === "unavailable") return { title, text: FAILURES[act] };
  // the balance sufficed when this page looked, and no longer where it counts
  if (code === "insufficient_to_create")
    return { title: "Error", text: `Insufficient balance to create this match. ${text}` };
  return { title, text };
}
