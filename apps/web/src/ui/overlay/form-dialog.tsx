import { type ReactNode, useId } from "react";
import { FailureNote, type FailureText } from "../feedback/failure-note.tsx";
import { useInvalidFocus } from "../form/use-invalid-focus.ts";
import { classes } from "../text/classes.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import "./form-dialog.css";

interface FormDialogProps {
  readonly title: string;
  readonly submitText: string | null;
  readonly kind?: "primary" | "danger";
  readonly busyText: string | false;
  readonly cancelText?: string;
  readonly failure: FailureText | null;
  readonly className?: string;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, submitText, kind, busyText, cancelText, failure, className, onSubmit, onClose, children } = props;
  const formId = useId();
  const invalidFocus = useInvalidFocus();
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
        {...invalidFocus}
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
