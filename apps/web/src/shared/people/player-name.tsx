import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { useState } from "react";
import { createPortal } from "react-dom";
import { idlePrefetchedChunk } from "../../lib/chunks/lazy-chunk.ts";
import { Opening } from "../../ui/overlay/opening.tsx";
import "./player-name.css";

const PlayerDialogs = idlePrefetchedChunk(() => import("./player-dialogs.tsx"));

interface PlayerNameProps {
  readonly player: PlayerView;
  readonly gameId: GameId | null;
}

export function PlayerName({ player, gameId }: PlayerNameProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="player-name"
        translate="no"
        aria-haspopup="dialog"
        title={`Games of ${player.username}`}
        onClick={() => setOpen(true)}
      >
        {player.username}
      </button>
      {isOpen &&
        // A dialog is not allowed inside a paragraph.
        createPortal(
          <Opening onDropped={() => setOpen(false)}>
            <PlayerDialogs player={player} gameId={gameId} onClose={() => setOpen(false)} />
          </Opening>,
          document.body,
        )}
    </>
  );
}
