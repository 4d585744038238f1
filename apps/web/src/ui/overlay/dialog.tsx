import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { addModal } from "./modals.ts";
import "./dialog.css";

/** A field to be filled in, else the safe choice: never what merely stands first. */
const FIRST_FOCUS = "input, select, textarea, .dialog-actions :is(button, a)";

interface DialogProps {
  /** Says the act: "Resign Game?". */
  readonly title: string;
  /** Escape, or a press beside it. Absent where the choice must be made. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
  /** Buttons: the safe choice first (it takes the focus), the act last. */
  readonly actions?: ReactNode;
  /** Art above the title; the texts are centred under it. */
  readonly art?: ReactNode;
}

/**
 * A modal dialog, a sheet from the bottom on phones. It is open as long as it is rendered. The browser's own `<dialog>`: it traps the focus,
 * gives it back, and makes the page behind inert, without a style element that the content policy would have to allow.
 */
export function Dialog({ title, onClose, children, actions, art }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    element.showModal();
    element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus({ preventScroll: true });
    const forget = addModal(element);
    return () => {
      forget();
      element.close();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape, which arrives as `cancel`
    <dialog
      ref={dialog}
      className={art === undefined ? "dialog" : "dialog with-art"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // browsers let nobody hold a dialog open against a second Escape or back gesture: they close it unasked
        const { current: element } = dialog;
        if (element === null || element.open) return;
        element.showModal();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose?.();
      }}
    >
      <div className="dialog-body">
        {art !== undefined && <div className="dialog-art">{art}</div>}
        <h2 id={titleId}>{title}</h2>
        {children}
        {actions !== undefined && <div className="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}
