import { type ReactNode, useId } from "react";
import { Icon } from "../icon/icon.tsx";
import { classes } from "../text/classes.ts";
import "./field.css";

interface ControlProps {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

export interface FieldTexts {
  readonly label: string;
  /** Shows the label to screen readers only. */
  readonly labelHidden?: boolean;
  readonly hint?: string | undefined;
  /** Replaces the hint. The line keeps its height, so nothing shifts. */
  readonly error?: string | undefined;
}

interface FieldProps extends FieldTexts {
  readonly children: (control: ControlProps) => ReactNode;
}

export function Field({ label, labelHidden = false, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}note`;
  const note = error ?? hint;
  return (
    <div className="field">
      <label className={classes(labelHidden && "visually-hidden")} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-describedby": note === undefined ? undefined : noteId,
      })}
      {note !== undefined && (
        <p id={noteId} className={error === undefined ? "hint" : "error"}>
          {error !== undefined && <Icon name="warn" size={16} />}
          {note}
        </p>
      )}
    </div>
  );
}
