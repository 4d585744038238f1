import { isOpen } from "@holo/table/state.ts";
import { type ReactNode, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Icon } from "../../ui/icon.tsx";
import { AskButton } from "./ask-button.tsx";
import { OptionsButton } from "./options-button.tsx";
import { RematchButton } from "./rematch.tsx";
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
  const { status } = scene.shown.table;
  const isWaiting = status === "waiting";
  const isOver = !isOpen(status);
  if (isWaiting && scene.seat === null) return null;
  return (
    <div className={classes("table-actions", isWaiting && "alone", isOver && "over")}>
      <AskButton scene={scene} kind="draw" className="table-action" />
      <StopButton scene={scene} />
      <AskButton scene={scene} kind="takeback" className="table-action takeback" />
      {isOver && <RematchButton scene={scene} className="rematch-button" />}
      {isOver && (
        <ButtonLink href="/matches" size="small" className="table-action">
          <Icon name="matches" />
          Matches
        </ButtonLink>
      )}
      {children}
      {!isWaiting && <OptionsButton scene={scene} className="table-action" />}
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
        {scene.shown.table.status === "active" && <Icon name={act === "resign" ? "flag" : "close"} />}
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
