import { useEffect, useRef } from "react";
import { Button } from "../../../ui/button/button.tsx";

interface ConfirmBarProps {
  readonly text: string;
  readonly onConfirm: () => void;
  readonly onUndo: () => void;
}

export function ConfirmBar({ text, onConfirm, onUndo }: ConfirmBarProps) {
  const handlers = useRef({ onConfirm, onUndo });
  handlers.current = { onConfirm, onUndo };

  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      const target = event.target instanceof Element ? event.target : null;
      const control = target?.closest("a, button, input, textarea, select, [role=dialog], dialog") ?? null;
      // A typed move is confirmed from the same field, once it is empty again.
      const isMoveField =
        control instanceof HTMLInputElement && control.value === "" && control.closest(".move-field") !== null;
      if ((control !== null && !isMoveField) || event.repeat) return;
      if (event.key === "Enter") handlers.current.onConfirm();
      else if (event.key === "Escape") handlers.current.onUndo();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
    // Captures the key before the board, where Enter presses a square.
    addEventListener("keydown", handleKey, { capture: true });
    return () => removeEventListener("keydown", handleKey, { capture: true });
  }, []);

  return (
    <section className="bar-over confirm-bar" aria-label="Confirm move">
      <div className="words">
        <h1>{text}</h1>
        <p>Not played yet.</p>
      </div>
      <div className="actions">
        <Button size="small" onClick={onUndo}>
          Undo
        </Button>
        <Button size="small" kind="primary" onClick={onConfirm}>
          Confirm
        </Button>
      </div>
    </section>
  );
}
