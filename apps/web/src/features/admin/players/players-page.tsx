import { useSearch } from "wouter";
import { AdminPage } from "../admin-page.tsx";
import { PlayerDetails } from "./player-details.tsx";
import { PlayerSearch } from "./player-search.tsx";

/** Finds and shows players. */
export default function PlayersPage() {
  const chosen = new URLSearchParams(useSearch()).get("id");
  return (
    <AdminPage title="Players">
      {(playerId) =>
        chosen === null ? (
          <PlayerSearch key={playerId} playerId={playerId} />
        ) : (
          <PlayerDetails key={`${playerId} ${chosen}`} viewerId={playerId} shownId={chosen} />
        )
      }
    </AdminPage>
  );
}
