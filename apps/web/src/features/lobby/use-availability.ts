import type { AvailabilityView } from "@holo/protocol/views.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { watchLobby } from "../../lib/socket.ts";
import { isWaiting, type MatchChoice } from "./match-choice.ts";

/** Tells on which terms opponents wait, as it is pushed. */
export function useAvailability(viewerId: string | null): (choice: MatchChoice) => boolean {
  const [waiting, setWaiting] = useState<readonly AvailabilityView[]>([]);

  useEffect(() => {
    let isPushed = false;
    let isLeft = false;
    async function ask() {
      isPushed = false;
      const answer = await callApi("availability", {});
      // what was pushed meanwhile is the newer word
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

  return (choice) => isWaiting(waiting, choice, viewerId);
}
