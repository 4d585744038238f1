import { type ReactNode, useId } from "react";
import { FailureNote, type FailureText } from "../feedback/failure-note.tsx";
import { classes } from "../text/classes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import "./form-dialog.css";

interface FormDialogProps {
  readonly title: string;
  /** On the button that sends it; null: there is nothing to send. */
  readonly submitText: string | null;
  readonly kind?: "primary" | "danger";
  /** The word while it is being sent, in which time the dialog stays open. */
  readonly busyText: string | false;
  /** On the button that leaves all as it is. */
  readonly cancelText?: "Cancel" | "Not Now";
  readonly failure: FailureText | null;
  readonly className?: string;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for what an act needs before it is done; what is refused stands below it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submitText, kind, busyText, cancelText, failure, className, onSubmit, onClose, children } = props;
  const formId = useId();
  return (
    <ConfirmDialog
      title={title}
      cancelText={cancelText}
      confirmText={submitText}
      kind={kind}
      busyText={busyText}
      onConfirm={formId}
      onClose={onClose}
    >
      <form
        id={formId}
        className={classes("form-dialog", className)}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {children}
        {failure !== null && <FailureNote failure={failure} />}
      </form>
    </ConfirmDialog>
  );
}
