import type { ReactNode } from "react";
import { BoardPicture } from "../../../shared/board/picture/board-picture.tsx";
import "./practice-page.css";

interface PracticeFrameProps {
  /** What is played; empty before it is known. */
  readonly terms?: string;
  readonly board: ReactNode;
  /** Covers what is beside the board. */
  readonly sheet?: ReactNode;
  readonly children?: ReactNode;
}

/** The layout of the page, in the same size before and after the game loads. */
export function PracticeFrame({ terms = "", board, sheet, children }: PracticeFrameProps) {
  return (
    <section className="practice-page" aria-labelledby="practice">
      <div className="practice-title">
        <h1 id="practice">Practice</h1>
        <p className="practice-terms">{terms}</p>
      </div>
      <div className="practice-board">{board}</div>
      <div className="practice-side">{children}</div>
      {sheet}
    </section>
  );
}

/** Empty: which game goes on is not known yet. */
export function PracticePagePlaceholder() {
  return <PracticeFrame board={<BoardPicture discs={".".repeat(64)} label="A board before the game" />} />;
}
