import type { MatchView } from "@holo/protocol/games.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { queryClient, refreshQueries } from "../../../lib/api/query.tsx";
import { onFrame, watchLobby } from "../../../lib/socket/socket.ts";
import { applyPush, type LobbyPush, type MatchFilter, mightList } from "./match-list.ts";

interface MatchList {
  readonly matches: readonly MatchView[];
}

/**
 * Loads the matches of a filter and applies pushed updates. `matches` is undefined until they load.
 */
export function useMatchList({ mine, status, search }: MatchFilter, viewerId: string | null) {
  const { data, isError, refetch } = useQuery({
    queryKey: ["lobby", viewerId, mine, status, search],
    queryFn: ({ signal }) => loadMatches({ mine, status, search }, viewerId, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

  useEffect(() => {
    const queryKey = ["lobby", viewerId, mine, status, search];
    const filter = { mine, status, search };
    const stopLobby = watchLobby({ onMatch() {}, onMatchGone() {}, onAvailability() {} });
    const stopFrames = onFrame((frame) => {
      // pushes from before the connection are lost
      if (frame.type === "hello") void refreshQueries(["lobby"]);
      if (frame.type !== "match" && frame.type !== "match_gone") return;
      // a game that left the public list, such as a cancelled one, stays in the player's own
      if (mine && frame.type === "match_gone") {
        const list = queryClient.getQueryData<MatchList>(queryKey);
        if (mightList(list?.matches, frame.gameId)) void refreshQueries(queryKey);
        return;
      }
      queryClient.setQueryData<MatchList>(
        queryKey,
        (list) => list && { matches: applyPush(list.matches, frame, filter, viewerId) },
      );
    });
    return () => {
      stopFrames();
      stopLobby();
    };
  }, [mine, status, search, viewerId]);

  return { matches: data?.matches, isError, refetch };
}

/** Applies the pushes that arrive during the load to its answer, which may be older. */
async function loadMatches(filter: MatchFilter, viewerId: string | null, signal: AbortSignal): Promise<MatchList> {
  const pushes: LobbyPush[] = [];
  const stop = onFrame((frame) => {
    if (frame.type === "match" || frame.type === "match_gone") pushes.push(frame);
  });
  try {
    const { mine, status, search } = filter;
    const query = {
      ...(mine && { mine: "true" as const }),
      ...(status !== "" && { status }),
      ...(search !== "" && { search }),
    };
    const { matches } = await fetchApi("matches", { query }, signal);
    return { matches: pushes.reduce((list, push) => applyPush(list, push, filter, viewerId), matches) };
  } finally {
    stop();
  }
}
