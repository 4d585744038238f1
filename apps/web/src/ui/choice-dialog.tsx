import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ChoiceDialogProps {
  readonly title: string;
  /** On the button that leaves all as it is. */
  readonly stay?: string | undefined;
  /** On the button that does it; null: there is nothing to do. */
  readonly act: string | null;
  readonly kind?: "primary" | "danger" | undefined;
  /** The word while it is being done, in which time the dialog stays open. */
  readonly busy?: string | false;
  /** It cannot be done as things are. */
  readonly disabled?: boolean;
  readonly onClose: () => void;
  /** A function that does it, or the id of the form whose sending does. */
  readonly onAct: (() => void) | string;
  readonly children: ReactNode;
}

/** Asked before an act: one way back, which is shut while it is being done, and one on. */
export function ChoiceDialog(props: ChoiceDialogProps) {
  const { title, stay = "Cancel", act, kind = "primary", busy = false, disabled = false, onClose, onAct } = props;
  const isBusy = busy !== false;
  const does = typeof onAct === "string" ? ({ type: "submit", form: onAct } as const) : { onClick: onAct };
  return (
    <Dialog
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {stay}
          </Button>
          {act !== null && (
            <Button kind={kind} busy={busy} disabled={disabled} {...does}>
              {act}
            </Button>
          )}
        </>
      }
    >
      {props.children}
    </Dialog>
  );
}
