import { formatCoins } from "@holo/kernel/money.ts";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../../ui/overlay/confirm-dialog.tsx";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

interface StopDialogProps {
  readonly viewModel: TableViewModel;
  readonly onStay: () => void;
  readonly onConfirm: () => void;
}

export function CancelDialog({ viewModel, onStay, onConfirm }: StopDialogProps) {
  const isWaiting = viewModel.shown.table.status === "waiting";
  const entry = <b>{formatCoins(viewModel.terms.buyIn, "up")} HC</b>;
  return (
    <Confirmation
      title="Cancel Game?"
      stay={isWaiting ? "Keep Waiting" : "Keep Playing"}
      confirmText="Cancel Game"
      onStay={onStay}
      onConfirm={onConfirm}
    >
      {isWaiting ? (
        <p className="muted">{viewModel.isFree ? "Your match closes now." : <>You get all {entry} back now.</>}</p>
      ) : (
        <p className="muted">
          {viewModel.isFree ? "Nobody wins or loses." : <>Both players get all {entry} back.</>} Cancel three of your
          last ten games and you'll have to wait before you can start a new one.
        </p>
      )}
    </Confirmation>
  );
}

export function ResignDialog({ viewModel, onStay, onConfirm }: StopDialogProps) {
  const { buyIn, winnings } = viewModel.terms;
  return (
    <Confirmation title="Resign Game?" stay="Keep Playing" confirmText="Resign" onStay={onStay} onConfirm={onConfirm}>
      <p className="muted">
        {viewModel.isFree ? (
          "You lose the game."
        ) : (
          <>
            You lose the game and the <b>{formatCoins(buyIn, "up")} HC</b> that you paid in.{" "}
            {viewModel.seat !== null && (
              <span className="unbroken" translate="no">
                {toName(viewModel, toOpponent(viewModel.seat))}
              </span>
            )}{" "}
            receives <b>{formatCoins(winnings)} HC</b>.
          </>
        )}
      </p>
    </Confirmation>
  );
}

interface ConfirmationProps extends Pick<StopDialogProps, "onStay" | "onConfirm"> {
  readonly title: string;
  readonly stay: string;
  readonly confirmText: string;
  readonly children: ReactNode;
}

function Confirmation({ title, stay, confirmText, onStay, onConfirm, children }: ConfirmationProps) {
  return (
    <ConfirmDialog
      title={title}
      cancelText={stay}
      confirmText={confirmText}
      kind="danger"
      onConfirm={onConfirm}
      onClose={onStay}
    >
      {children}
    </ConfirmDialog>
  );
}
