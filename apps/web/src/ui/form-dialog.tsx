import { type ReactNode, useId } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { Dialog } from "./dialog.tsx";
import { Failure, type FailureWords } from "./failure.tsx";
import "./form-dialog.css";

interface FormDialogProps {
  readonly title: string;
  /** On the button that sends it; null: there is nothing to send. */
  readonly act: string | null;
  readonly kind?: "primary" | "danger";
  /** The word while it is being sent, in which time the dialog stays open. */
  readonly busy: string | false;
  readonly cancel?: "Cancel" | "Not Now";
  readonly failure: FailureWords | null;
  readonly className?: string;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for what an act needs before it is done; what is refused stands below it. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    act,
    kind = "primary",
    busy,
    cancel = "Cancel",
    failure,
    className,
    onSubmit,
    onClose,
    children,
  } = props;
  const formId = useId();
  const isBusy = busy !== false;
  return (
    <Dialog
      title={title}
      onClose={isBusy ? undefined : onClose}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {cancel}
          </Button>
          {act !== null && (
            <Button type="submit" form={formId} kind={kind} busy={busy}>
              {act}
            </Button>
          )}
        </>
      }
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
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}
