import { useInfiniteQuery } from "@tanstack/react-query";
import { fetchApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { MatchRows } from "../../ui/match-rows.tsx";
import { Awaited } from "./awaited.tsx";
import { adminKey } from "./use-overview.ts";

interface PlayerGamesProps {
  /** Who looks. */
  readonly playerId: string;
  readonly chosen: string;
}

/** All games of a player, each the way to its record. */
export function PlayerGames({ playerId, chosen }: PlayerGamesProps) {
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: adminKey(playerId, "games", chosen),
    queryFn: ({ pageParam, signal }) =>
      fetchApi(
        "playerGames",
        { params: { id: chosen }, query: pageParam === null ? {} : { before: pageParam } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
  const query = { data: data?.pages.flatMap(({ matches }) => matches), isError, refetch };
  return (
    <Awaited query={query} loading="Loading games..." failed="The games could not be loaded.">
      {(matches) => (
        <>
          {matches.length === 0 && <p className="muted">There are none.</p>}
          <MatchRows matches={matches} playerId={chosen} />
          {hasNextPage && (
            <Button size="small" busy={isFetchingNextPage && "Loading..."} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </Awaited>
  );
}
