import type { ReactNode } from "react";
import { Disc } from "../icon/disc.tsx";
import "./empty-state.css";

interface EmptyProps {
  readonly text: string;
  readonly action?: ReactNode;
}

export function EmptyState({ text, action }: EmptyProps) {
  return (
    <div className="empty">
      <div className="empty-discs">
        <Disc seat={1} />
        <Disc seat={2} />
      </div>
      <p>{text}</p>
      {action}
    </div>
  );
}
