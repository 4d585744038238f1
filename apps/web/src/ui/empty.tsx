import type { ReactNode } from "react";
import { Disc } from "./disc.tsx";
import "./empty.css";

interface EmptyProps {
  readonly text: string;
  readonly action?: ReactNode;
}

export function Empty({ text, action }: EmptyProps) {
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
