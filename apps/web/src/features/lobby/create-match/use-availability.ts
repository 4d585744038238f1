import type { AvailabilityView } from "@holo/protocol/games.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { watchLobby } from "../../../lib/socket/socket.ts";
import { isOpponentWaiting, type MatchChoice } from "./match-choice.ts";

/** Returns whether an opponent waits on given terms, updated by pushes. */
export function useAvailability(viewerId: string | null): (choice: MatchChoice) => boolean {
  const [waiting, setWaiting] = useState<readonly AvailabilityView[]>([]);

  useEffect(() => {
    let isPushed = false;
    let isLeft = false;
    async function ask() {
      isPushed = false;
      const answer = await callApi("availability", {});
      // a push that arrived in the meantime is newer
      if (answer.ok && !isPushed && !isLeft) setWaiting(answer.value.waiting);
    }
    const stop = watchLobby({
      onMatch: () => {},
      onMatchGone: () => {},
      onAvailability: (pushed) => {
        isPushed = true;
        setWaiting(pushed);
      },
      onResumed: () => void ask(),
    });
    void ask();
    return () => {
      isLeft = true;
      stop();
    };
  }, []);

  return (choice) => isOpponentWaiting(waiting, choice, viewerId);
}
