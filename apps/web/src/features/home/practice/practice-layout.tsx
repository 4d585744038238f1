import type { ReactNode } from "react";
import { Link } from "wouter";
import { Button } from "../../../ui/button/button.tsx";
import { Icon } from "../../../ui/icon/icon.tsx";

interface PracticeLayoutProps {
  readonly onTakeBack: (() => void) | null;
  /** Null before the game has loaded. */
  readonly onRestart: (() => void) | null;
  readonly status: string;
  readonly children: ReactNode;
}

/** The layout around the practice board, in the same size before and after the game loads. */
export function PracticeLayout({ onTakeBack, onRestart, status, children }: PracticeLayoutProps) {
  return (
    <>
      <div className="practice-actions">
        <PracticeButton icon="undo" text="Take Back" onClick={onTakeBack} />
        <PracticeButton icon="restart" text="Restart" onClick={onRestart} />
      </div>
      <div className="practice-board">{children}</div>
      <p className="practice-status">{status}</p>
      <Link href="/practice" className="link alone small">
        Chess and more levels
      </Link>
    </>
  );
}

interface PracticeButtonProps {
  readonly icon: "undo" | "restart";
  readonly text: string;
  readonly onClick: (() => void) | null;
}

/** Uses aria-disabled, so that the button keeps the focus after the first move is taken back. */
function PracticeButton({ icon, text, onClick }: PracticeButtonProps) {
  return (
    <Button kind="quiet" size="small" aria-disabled={onClick === null} onClick={() => onClick?.()}>
      <Icon name={icon} />
      {text}
    </Button>
  );
}
