import { formatCoins } from "@holo/kernel/money.ts";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../../ui/overlay/confirm-dialog.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";
import { useArmed } from "./use-armed.ts";

interface StopDialogProps {
  readonly viewModel: TableViewModel;
  readonly onStay: () => void;
  readonly onAct: () => void;
}

export function CancelDialog({ viewModel, onStay, onAct }: StopDialogProps) {
  const isWaiting = viewModel.shown.table.status === "waiting";
  const entry = <b>{formatCoins(viewModel.terms.buyIn, "up")} HC</b>;
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

export function ResignDialog({ viewModel, onStay, onAct }: StopDialogProps) {
  const { buyIn, winnings } = viewModel.terms;
  return (
    <Confirmation title="Resign Game?" stay="Keep Playing" act="Resign" onStay={onStay} onAct={onAct}>
      <p className="muted">
        You lose the game and the <b>{formatCoins(buyIn, "up")} HC</b> that you paid in.{" "}
        {viewModel.seat !== null && <span className="unbroken">{toName(viewModel, toOpponent(viewModel.seat))}</span>}{" "}
        receives <b>{formatCoins(winnings)} HC</b>.
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
  // The second tap of a double tap must not answer the question.
  const isArmed = useArmed(0);
  return (
    <ConfirmDialog
      title={title}
      cancelText={stay}
      confirmText={act}
      kind="danger"
      disabled={!isArmed}
      onConfirm={onAct}
      onClose={onStay}
    >
      {children}
    </ConfirmDialog>
  );
}
