import type { PlayerView } from "@holo/protocol/views.ts";
import { useEffect } from "react";
import { loadRelation, useRelation } from "../../lib/relations.ts";
import { Button } from "../button.tsx";
import { setBlocked, setMuted } from "./acts.ts";
import "./player-wishes.css";

interface PlayerWishesProps {
  readonly player: PlayerView;
  readonly onBlock: () => void;
  readonly onReport: (() => void) | null;
}

/** What a player may ask for about another. */
export function PlayerWishes({ player, onBlock, onReport }: PlayerWishesProps) {
  const relation = useRelation(player.id);

  useEffect(() => void loadRelation(player.id), [player.id]);

  return (
    <div className="player-wishes">
      <Button
        size="small"
        disabled={relation === null}
        onClick={() => relation !== null && void setMuted(player, !relation.muted)}
      >
        {relation?.muted === true ? "Unmute" : "Mute"}
      </Button>
      <Button
        size="small"
        disabled={relation === null}
        onClick={() => (relation?.blocked === true ? void setBlocked(player, false) : onBlock())}
      >
        {relation?.blocked === true ? "Unblock" : "Block"}
      </Button>
      {onReport !== null && (
        <Button size="small" onClick={onReport}>
          Report
        </Button>
      )}
    </div>
  );
}
