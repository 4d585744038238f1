import type { RefusalView } from "@holo/protocol/refusals.ts";
import { sendCommand } from "../../lib/socket.ts";
import type { Command } from "../../lib/socket-commands.ts";
import { notify } from "../../ui/notify.ts";
import { type LobbyAct, toFailedWords } from "./failed-words.ts";

type LobbyCommand = Extract<Command, { readonly type: LobbyAct }>;

export type LobbyAnswer =
  | { readonly type: "done"; readonly gameId: string; readonly isActive: boolean }
  | { readonly type: "refused"; readonly refusal: RefusalView };

/** Sends a command of the lobby and says what came of it where that is a refusal. */
export async function sendLobbyCommand(command: LobbyCommand): Promise<LobbyAnswer> {
  const answer = await sendCommand(command);
  if (answer.type === "refused") {
    notify({ kind: "failed", ...toFailedWords(command.type, answer.refusal) });
    return answer;
  }
  return { type: "done", gameId: answer.gameId, isActive: answer.type === "done" && answer.status === "active" };
}

/** Cancels one's own match; false where it stands. */
export async function cancelMatch(gameId: string): Promise<boolean> {
  const answer = await sendLobbyCommand({ type: "cancel", gameId });
  if (answer.type === "refused") return false;
  notify({ kind: "done", title: "Match Cancelled", text: "Your match has been cancelled and funds refunded" });
  return true;
}
