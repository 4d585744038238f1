import type { MatchView } from "@holo/protocol/games.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { queryClient } from "../../../lib/api/query.tsx";
import { watchLobby } from "../../../lib/socket/socket.ts";
import { type MatchFilter, mightList, removeMatch, upsertMatch } from "./match-list.ts";

interface MatchList {
  readonly matches: readonly MatchView[];
}

/**
 * Loads the matches of a filter and applies pushed updates. `matches` is undefined until they load.
 */
export function useMatchList(filter: MatchFilter, viewerId: string | null) {
  const { mine, status, search } = filter;
  const { data, isError, refetch } = useQuery({
    queryKey: ["lobby", viewerId, mine, status, search],
    queryFn: ({ signal }) => {
      const query = {
        ...(mine && { mine: "true" as const }),
        ...(status !== "" && { status }),
        ...(search !== "" && { search }),
      };
      return fetchApi("matches", { query }, signal);
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

  useEffect(() => {
    const queryKey = ["lobby", viewerId, mine, status, search];
    function change(next: (matches: readonly MatchView[]) => readonly MatchView[]) {
      queryClient.setQueryData<MatchList>(queryKey, (list) => list && { matches: next(list.matches) });
    }
    const shown = { mine, status, search };
    return watchLobby({
      onMatch: (match) => change((matches) => upsertMatch(matches, match, shown, viewerId)),
      // the player's own list keeps games that left the public list, such as cancelled ones
      onMatchGone(gameId) {
        if (!mine) change((matches) => removeMatch(matches, gameId));
        else if (mightList(queryClient.getQueryData<MatchList>(queryKey)?.matches, gameId)) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
      onAvailability: () => {},
      onResumed: () => void queryClient.invalidateQueries({ queryKey: ["lobby"] }),
    });
  }, [mine, status, search, viewerId]);

  return { matches: data?.matches, isError, refetch };
}
