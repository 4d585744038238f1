import type { PlayerView } from "@holo/protocol/views.ts";
import { useEffect } from "react";
import { loadRelation, useRelation } from "../../lib/relations.ts";
import { Button } from "../../ui/button.tsx";
import { setBlocked, setMuted } from "../../ui/people/acts.ts";
import "./opponent-acts.css";

interface OpponentActsProps {
  readonly opponent: PlayerView;
  readonly onBlock: () => void;
  readonly onReport: () => void;
}

/** What a player may ask for about who sits opposite. */
export function OpponentActs({ opponent, onBlock, onReport }: OpponentActsProps) {
  const relation = useRelation(opponent.id);

  useEffect(() => void loadRelation(opponent.id), [opponent.id]);

  return (
    <section className="opponent-acts" aria-label={opponent.username}>
      <h3 className="unbroken">{opponent.username}</h3>
      <div>
        <Button
          size="small"
          disabled={relation === null}
          onClick={() => relation !== null && void setMuted(opponent, !relation.muted)}
        >
          {relation?.muted === true ? "Unmute" : "Mute"}
        </Button>
        <Button
          size="small"
          disabled={relation === null}
          onClick={() => (relation?.blocked === true ? void setBlocked(opponent, false) : onBlock())}
        >
          {relation?.blocked === true ? "Unblock" : "Block"}
        </Button>
        <Button size="small" onClick={onReport}>
          Report
        </Button>
      </div>
    </section>
  );
}
