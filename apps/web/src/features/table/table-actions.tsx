import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Icon } from "../../ui/icon.tsx";
import { AskButton } from "./ask-button.tsx";
import { OptionsButton } from "./options-button.tsx";
import { mayCancel, mayResign, type Scene } from "./scene.ts";
import { CancelDialog, ResignDialog } from "./stop-dialogs.tsx";
import { useAct } from "./use-act.ts";
import "./table-actions.css";

interface TableActionsProps {
  readonly scene: Scene;
  /** What else stands in the row. */
  readonly children?: ReactNode;
}

/** What a player may do beside moving. What costs something says so first, in figures. */
export function TableActions({ scene, children }: TableActionsProps) {
  const isActive = scene.turn !== null;
  const isPlayer = scene.seat !== null;
  if (!isActive && !mayCancel(scene)) return null;
  return (
    <div className={classes("table-actions", !isActive && "alone")}>
      {isPlayer && <AskButton scene={scene} kind="draw" className="table-action" />}
      {isPlayer && <StopButton scene={scene} />}
      {isPlayer && <AskButton scene={scene} kind="takeback" className="table-action takeback" />}
      {children}
      {isActive && <OptionsButton scene={scene} className="table-action" />}
    </div>
  );
}

/** Cancel, and Resign from when both have made two moves (ruling 17). */
function StopButton({ scene }: { readonly scene: Scene }) {
  const [asked, setAsked] = useState<"cancel" | "resign" | null>(null);
  const { underWay, carryOut } = useAct();
  const { gameId } = scene.shown.table;
  const act = mayCancel(scene) ? "cancel" : mayResign(scene) ? "resign" : null;
  if (act === null) return null;
  const Question = act === "cancel" ? CancelDialog : ResignDialog;
  return (
    <>
      <Button
        size="small"
        wide
        className="table-action"
        busy={underWay !== null && (act === "cancel" ? "Cancelling..." : "Resigning...")}
        onClick={() => setAsked(act)}
      >
        {act === "resign" && <Icon name="flag" />}
        {act === "resign" ? "Resign" : "Cancel"}
      </Button>
      {asked === act && (
        <Question
          scene={scene}
          onStay={() => setAsked(null)}
          onAct={() => {
            setAsked(null);
            carryOut({ type: act, gameId });
          }}
        />
      )}
    </>
  );
}
