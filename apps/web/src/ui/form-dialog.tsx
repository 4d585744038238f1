import { type ReactNode, useId } from "react";
import { ChoiceDialog } from "./choice-dialog.tsx";
import { classes } from "./classes.ts";
import { Failure, type FailureWords } from "./failure.tsx";
import "./form-dialog.css";

interface FormDialogProps {
  readonly title: string;
  /** On the button that sends it; null: there is nothing to send. */
  readonly act: string | null;
  readonly kind?: "primary" | "danger";
  /** The word while it is being sent, in which time the dialog stays open. */
  readonly busy: string | false;
  /** On the button that leaves all as it is. */
  readonly stay?: "Cancel" | "Not Now";
  readonly failure: FailureWords | null;
  readonly className?: string;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for what an act needs before it is done; what is refused stands below it. */
export function FormDialog(props: FormDialogProps) {
  const { title, act, kind, busy, stay, failure, className, onSubmit, onClose, children } = props;
  const formId = useId();
  return (
    <ChoiceDialog title={title} stay={stay} act={act} kind={kind} busy={busy} onAct={formId} onClose={onClose}>
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
        {failure !== null && <Failure words={failure} />}
      </form>
    </ChoiceDialog>
  );
}
