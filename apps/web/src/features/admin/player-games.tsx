import { fetchApi } from "../../lib/api.ts";
import { usePages } from "../../lib/use-pages.ts";
import { MatchRows } from "../../ui/match-rows.tsx";
import { ShowMore } from "../../ui/show-more.tsx";
import { Awaited } from "./awaited.tsx";
import { adminKey } from "./use-overview.ts";

interface PlayerGamesProps {
  /** Who looks. */
  readonly playerId: string;
  readonly chosen: string;
}

/** All games of a player, each the way to its record. */
export function PlayerGames({ playerId, chosen }: PlayerGamesProps) {
  const query = usePages({
    queryKey: adminKey(playerId, "games", chosen),
    load: (before, signal) => fetchApi("playerGames", { params: { id: chosen }, query: { before } }, signal),
    toRows: (page) => page.matches,
  });
  return (
    <Awaited query={query} loading="Loading games..." failed="The games could not be loaded.">
      {(matches) => (
        <>
          {matches.length === 0 && <p className="muted">There are none.</p>}
          <MatchRows matches={matches} playerId={chosen} />
          <ShowMore query={query} />
        </>
      )}
    </Awaited>
  );
}
