import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH, evolveLobby, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { refreshQueries } from "../../../lib/api/query.tsx";
import { onFrame, subscribe } from "../../../lib/socket/socket.ts";

interface ShownList {
  readonly list: MatchList | undefined;
  readonly isOld: boolean;
}

const RETRY_MS = 3_000;

let requests = 0;

/** The newest matches of a filter, kept current by the server. Without `isOn` there is no list. */
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

const MINE = ["matches", "mine"];

export function useOwnMatches(filter: LobbyFilter, count: number, viewerId: string | null) {
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: [...MINE, viewerId, filter, count],
    queryFn: ({ signal }) => fetchApi("matches", { query: toQuery(filter, count) }, signal),
    enabled: viewerId !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  useEffect(
    () =>
      onFrame(({ type }) => {
        // Pushes from before the connection are lost.
        if (type === "open_game" || type === "hello") void refreshQueries(MINE);
      }),
    [],
  );
  return { list: data, isOld: isPlaceholderData, isError, refetch };
}

function toQuery({ status, game, stakeMin, stakeMax, limitMinutes, search }: LobbyFilter, count: number) {
  return {
    mine: "true" as const,
    count: String(count),
    ...(status !== null && { status }),
    ...(game !== null && { game }),
    ...(stakeMin !== EVERY_MATCH.stakeMin && { stakeMin: `${stakeMin}` as const }),
    ...(stakeMax !== EVERY_MATCH.stakeMax && { stakeMax: `${stakeMax}` as const }),
    ...(limitMinutes !== null && { limitMinutes: `${limitMinutes}` as const }),
    ...(search !== "" && { search }),
  };
}
