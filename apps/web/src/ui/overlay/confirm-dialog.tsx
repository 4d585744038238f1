import type { ReactNode } from "react";
import { Button } from "../button/button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** On the button that leaves all as it is. */
  readonly cancelText?: string | undefined;
  /** On the button that does it; null: there is nothing to do. */
  readonly confirmText: string | null;
  readonly kind?: "primary" | "danger" | undefined;
  /** The word while it is being done, in which time the dialog stays open. */
  readonly busyText?: string | false;
  /** It cannot be done as things are. */
  readonly disabled?: boolean;
  readonly onClose: () => void;
  /** A function that does it, or the id of the form whose sending does. */
  readonly onConfirm: (() => void) | string;
  readonly children: ReactNode;
}

/** Asked before an act: one way back, which is shut while it is being done, and one on. */
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
  const does = typeof onConfirm === "string" ? ({ type: "submit", form: onConfirm } as const) : { onClick: onConfirm };
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
            <Button kind={kind} busy={busyText} disabled={disabled} {...does}>
              {confirmText}
            </Button>
          )}
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
