import type { MatchView } from "@holo/protocol/game/games.ts";
import { useState } from "react";
import { sendMatchCommand } from "../../shared/match/match-commands.ts";
import { notify } from "../../ui/overlay/notify.ts";
import { useGameStart } from "./use-game-start.ts";

/** Joins a match and opens it. A refusal is shown as a notice, and `onRefused` is called. */
export function useJoin({ id: gameId }: Pick<MatchView, "id">, invitation: string | undefined, onRefused?: () => void) {
  const [isJoining, setJoining] = useState(false);
  const startGame = useGameStart();

  async function join(): Promise<void> {
    setJoining(true);
    const answer = await sendMatchCommand({
      type: "join",
      gameId,
      ...(invitation !== undefined && { invitation }),
    });
    if (answer.type === "refused") {
      setJoining(false);
      return onRefused?.();
    }
    notify({ kind: "done", title: "Joined match!", text: "Starting game..." });
    startGame(answer.gameId);
  }

  return { isJoining, join: () => void join() };
}
