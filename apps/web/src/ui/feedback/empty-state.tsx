import type { ReactNode } from "react";
import { Disc } from "../icon/disc.tsx";
import "./empty-state.css";

interface EmptyProps {
  /** The page's heading, if it has no other. */
  readonly title?: string;
  readonly text: string;
  readonly action?: ReactNode;
}

export function EmptyState({ title, text, action }: EmptyProps) {
  return (
    <div className="empty">
      <div className="empty-discs">
        <Disc seat={1} />
        <Disc seat={2} />
      </div>
      {title !== undefined && <h1>{title}</h1>}
      <p>{text}</p>
      {action}
    </div>
  );
}
