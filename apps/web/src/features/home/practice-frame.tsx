import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

interface PracticeFrameProps {
  /** Null while there is nothing to take back. */
  readonly onTakeBack: (() => void) | null;
  /** Null while there is no game yet. */
  readonly onRestart: (() => void) | null;
  readonly status: string;
  /** The board, or its picture. */
  readonly children: ReactNode;
}

/** What stands around the practice board, of the same size with the game and before it has come. */
export function PracticeFrame({ onTakeBack, onRestart, status, children }: PracticeFrameProps) {
  return (
    <>
      <div className="practice-acts">
        <Act icon="undo" text="Take Back" onClick={onTakeBack} />
        <Act icon="restart" text="Restart" onClick={onRestart} />
      </div>
      <div className="practice-board">{children}</div>
      <p className="practice-status">{status}</p>
    </>
  );
}

interface ActProps {
  readonly icon: "undo" | "restart";
  readonly text: string;
  readonly onClick: (() => void) | null;
}

/** Stays in the tab order where it can do nothing: a focus that taking back the first move has lost would begin the page anew. */
function Act({ icon, text, onClick }: ActProps) {
  return (
    <Button kind="quiet" size="small" aria-disabled={onClick === null} onClick={() => onClick?.()}>
      <Icon name={icon} />
      {text}
    </Button>
  );
}
