import type { MatchView } from "@holo/protocol/views.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../lib/api.ts";
import { queryClient } from "../../lib/query.tsx";
import { watchLobby } from "../../lib/socket.ts";
import { dropMatch, type MatchFilter, mayList, putMatch } from "./match-list.ts";

interface MatchList {
  readonly matches: readonly MatchView[];
}

/** The matches of a filter, kept up to date by what the lobby pushes. `matches` is undefined until they are first there. */
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
      onMatch: (match) => change((matches) => putMatch(matches, match, shown, viewerId)),
      // one's own list keeps what everybody else's loses, such as a cancelled game
      onMatchGone(gameId) {
        if (!mine) change((matches) => dropMatch(matches, gameId));
        else if (mayList(queryClient.getQueryData<MatchList>(queryKey)?.matches, gameId)) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
      onAvailability: () => {},
      onResumed: () => void queryClient.invalidateQueries({ queryKey: ["lobby"] }),
    });
  }, [mine, status, search, viewerId]);

  return { matches: data?.matches, isError, refetch };
}
