import type { ReactNode } from "react";
import { Button } from "../button/button.tsx";
import { GuardedButton } from "../button/guarded-button.tsx";
import { OfflineNote, useOffline } from "../feedback/offline-note.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly cancelText?: string | undefined;
  readonly confirmText: string | null;
  readonly kind?: "primary" | "danger" | undefined;
  readonly busyText?: string | false;
  readonly disabled?: boolean;
  readonly onClose: () => void;
  /** A string is the id of the form that the button submits. */
  readonly onConfirm: (() => void) | string;
  readonly children: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    cancelText = "Cancel",
    confirmText,
    kind = "primary",
    busyText = false,
    disabled = false,
    onClose,
    onConfirm,
  } = props;
  const isBusy = busyText !== false;
  const isOffline = useOffline() && confirmText !== null;
  const confirmProps =
    typeof onConfirm === "string" ? ({ type: "submit", form: onConfirm } as const) : { onClick: onConfirm };
  return (
    <Dialog
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {cancelText}
          </Button>
          {confirmText !== null && (
            <GuardedButton kind={kind} busy={busyText} disabled={disabled} resting={isOffline} {...confirmProps}>
              {confirmText}
            </GuardedButton>
          )}
        </>
      }
    >
      {props.children}
      {isOffline && <OfflineNote />}
    </Dialog>
  );
}
