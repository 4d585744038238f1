import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import { evolveLobby, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import { useEffect, useState } from "react";
import { subscribe } from "../../lib/socket/socket.ts";

interface ShownList {
  readonly list: MatchList | undefined;
  readonly isOld: boolean;
}

const RETRY_MS = 3_000;

let requests = 0;

/** The first matches of a filter, kept current by the server. Without `isOn` there is no list. */
export function useMatchList(filter: LobbyFilter, count: number, viewerId: string | null, isOn: boolean): ShownList {
  const key = JSON.stringify([filter, count, viewerId]);
  const [shown, setShown] = useState<{ readonly key: string; readonly list: MatchList }>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const [wanted] = JSON.parse(key) as [LobbyFilter];
    requests += 1;
    const request = requests;
    let list: MatchList | undefined;
    const stop = subscribe({
      watch: { type: "watch_lobby", filter: wanted, count, request },
      unwatch: { type: "unwatch_lobby" },
      receive(frame) {
        if (frame.type === "lobby" && frame.request === request) list = frame;
        else if (frame.type === "lobby_changes" && list !== undefined) list = evolveLobby(list, frame, count);
        else {
          // Too many visitors query at once.
          if (frame.type === "bad_frame" && list === undefined) timer ??= setTimeout(setAttempt, RETRY_MS, attempt + 1);
          return;
        }
        setShown({ key, list });
      },
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [key, count, isOn, attempt]);

  return { list: shown?.list, isOld: shown?.key !== key };
}
