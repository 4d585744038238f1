import type { PlayerView } from "@holo/protocol/game/games.ts";
import { useEffect } from "react";
import { retryUntilDone } from "../../lib/api/retry.ts";
import { loadRelation, useRelation } from "../../lib/session/relations.ts";
import { Button } from "../../ui/button/button.tsx";
import { setBlocked, setMuted } from "./relation-commands.ts";
import "./relation-buttons.css";

interface RelationButtonsProps {
  readonly player: PlayerView;
  readonly onBlock: () => void;
  readonly onReport: (() => void) | null;
}

export function RelationButtons({ player, onBlock, onReport }: RelationButtonsProps) {
  const relation = useRelation(player.id);

  useEffect(() => retryUntilDone(() => loadRelation(player.id)), [player.id]);

  return (
    <div className="relation-buttons">
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
