import { formatCoins } from "@holo/kernel/money.ts";
import type { ReactNode } from "react";
import { ChoiceDialog } from "../../ui/choice-dialog.tsx";
import { type Scene, toName, toOpponent } from "./scene.ts";
import { useArmed } from "./use-armed.ts";

interface StopDialogProps {
  readonly scene: Scene;
  readonly onStay: () => void;
  readonly onAct: () => void;
}

export function CancelDialog({ scene, onStay, onAct }: StopDialogProps) {
  const isWaiting = scene.shown.table.status === "waiting";
  const entry = <b>{formatCoins(scene.terms.entry, "up")} HC</b>;
  return (
    <Confirmation
      title="Cancel Game?"
      stay={isWaiting ? "Keep Waiting" : "Keep Playing"}
      act="Cancel Game"
      onStay={onStay}
      onAct={onAct}
    >
      {isWaiting ? (
        <p className="muted">All {entry} that you paid in come back to you at once.</p>
      ) : (
        <p className="muted">
          Both players get back all {entry} that they paid in. From the third game in ten that you cancel, you wait
          before you can start a new one.
        </p>
      )}
    </Confirmation>
  );
}

export function ResignDialog({ scene, onStay, onAct }: StopDialogProps) {
  const { entry, winnings } = scene.terms;
  return (
    <Confirmation title="Resign Game?" stay="Keep Playing" act="Resign" onStay={onStay} onAct={onAct}>
      <p className="muted">
        You lose the game and the <b>{formatCoins(entry, "up")} HC</b> that you paid in.{" "}
        {scene.seat !== null && <span className="unbroken">{toName(scene, toOpponent(scene.seat))}</span>} receives{" "}
        <b>{formatCoins(winnings)} HC</b>.
      </p>
    </Confirmation>
  );
}

interface ConfirmationProps extends Pick<StopDialogProps, "onStay" | "onAct"> {
  readonly title: string;
  readonly stay: string;
  readonly act: string;
  readonly children: ReactNode;
}

function Confirmation({ title, stay, act, onStay, onAct, children }: ConfirmationProps) {
  // the second tap of a double one must not answer the question
  const isArmed = useArmed(0);
  return (
    <ChoiceDialog title={title} stay={stay} act={act} kind="danger" disabled={!isArmed} onAct={onAct} onClose={onStay}>
      {children}
    </ChoiceDialog>
  );
}
