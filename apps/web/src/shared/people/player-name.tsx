import type { PlayerView } from "@holo/protocol/games.ts";
import { Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { prefetchedChunk } from "../../lib/chunks/lazy-chunk.ts";
import "./player-name.css";

const PlayerDialogs = prefetchedChunk(() => import("./player-dialogs.tsx"));

interface PlayerNameProps {
  readonly player: PlayerView;
  /** The game beside which the name stands; a report is about it. Null: there is none. */
  readonly gameId: string | null;
}

/** A username, one press away from what its player has done here before. */
export function PlayerName({ player, gameId }: PlayerNameProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="player-name"
        aria-haspopup="dialog"
        title={`Games of ${player.username}`}
        onClick={() => setOpen(true)}
      >
        {player.username}
      </button>
      {isOpen &&
        // a name stands in the middle of sentences, where no dialog may
        createPortal(
          <Suspense>
            <PlayerDialogs player={player} gameId={gameId} onClose={() => setOpen(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}
