import type { GameId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { isFree } from "@holo/table/stakes.ts";
import type { Command } from "../../lib/socket/command-queue.ts";
import { sendCommand } from "../../lib/socket/socket.ts";
import { notify } from "../../ui/overlay/notify.ts";
import { type MatchCommandType, toFailureText } from "./failure-text.ts";

type MatchCommand = Extract<Command, { readonly type: MatchCommandType }>;

type MatchAnswer =
  | { readonly type: "done"; readonly gameId: GameId; readonly isActive: boolean }
  | { readonly type: "refused"; readonly refusal: RefusalView };

export async function sendMatchCommand(command: MatchCommand): Promise<MatchAnswer> {
  const answer = await sendCommand(command);
  if (answer.type === "refused") {
    notify({ kind: "failed", ...toFailureText(command.type, answer.refusal) });
    return answer;
  }
  return { type: "done", gameId: answer.gameId, isActive: answer.type === "done" && answer.status === "active" };
}

export async function cancelMatch({ id: gameId, stake }: Pick<MatchView, "id" | "stake">): Promise<boolean> {
  const answer = await sendMatchCommand({ type: "cancel", gameId, whileWaiting: true });
  if (answer.type === "refused") return false;
  notify({
    kind: "done",
    title: "Match Cancelled",
    text: `Your match has been cancelled${isFree(stake) ? "" : " and funds refunded"}`,
  });
  return true;
}
