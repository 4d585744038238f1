import { fetchApi } from "../../../lib/api/api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { MatchRows } from "../../../shared/match/match-rows.tsx";
import { ShowMore } from "../../../ui/data/show-more.tsx";
import { adminKey } from "../admin-queries.ts";
import { Loaded } from "../loaded.tsx";

interface PlayerGamesProps {
  /** The admin who views the page. */
  readonly viewerId: string;
  readonly shownId: string;
}

export function PlayerGames({ viewerId, shownId }: PlayerGamesProps) {
  const query = usePages({
    queryKey: adminKey(viewerId, "games", shownId),
    load: (before, signal) => fetchApi("playerGames", { params: { id: shownId }, query: { before } }, signal),
    toRows: (page) => page.matches,
  });
  return (
    <Loaded query={query} loading="Loading games..." failed="The games could not be loaded.">
      {(matches) => (
        <>
          {matches.length === 0 && <p className="muted">There are none.</p>}
          <MatchRows matches={matches} playerId={shownId} />
          <ShowMore query={query} />
        </>
      )}
    </Loaded>
  );
}
