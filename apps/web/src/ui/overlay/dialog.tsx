import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { addModal } from "./modals.ts";
import "./dialog.css";

/** Initial focus: a field to fill in, else the safe choice. */
const FIRST_FOCUS = "input, select, textarea, .dialog-actions :is(button, a)";

interface DialogProps {
  /** Names the action: "Resign Game?". */
  readonly title: string;
  /** On Escape or a press outside. Absent if the player must choose. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
  /** Buttons: the safe choice first (it takes the focus), the action last. */
  readonly actions?: ReactNode;
  /** Art above the title, which centres the texts. */
  readonly art?: ReactNode;
}

/**
 * A modal dialog, a bottom sheet on phones, open while it is rendered. The native `<dialog>` traps
 * and restores the focus and makes the page behind it inert.
 */
export function Dialog({ title, onClose, children, actions, art }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    element.showModal();
    element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus({ preventScroll: true });
    const removeFromModals = addModal(element);
    return () => {
      removeFromModals();
      element.close();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape arrives as `cancel`
    <dialog
      ref={dialog}
      className={art === undefined ? "dialog" : "dialog with-art"}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Browsers close a dialog on a second Escape or back gesture, whatever the page does.
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
