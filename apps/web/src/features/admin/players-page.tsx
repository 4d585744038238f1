import { useSearch } from "wouter";
import { AdminPage } from "./admin-page.tsx";
import { FindPlayers } from "./find-players.tsx";
import { PlayerFile } from "./player-file.tsx";

/** Any player, and what belongs to them. */
export default function PlayersPage() {
  const chosen = new URLSearchParams(useSearch()).get("id");
  return (
    <AdminPage title="Players">
      {(playerId) =>
        chosen === null ? (
          <FindPlayers key={playerId} playerId={playerId} />
        ) : (
          <PlayerFile key={`${playerId} ${chosen}`} playerId={playerId} chosen={chosen} />
        )
      }
    </AdminPage>
  );
}
