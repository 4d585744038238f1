import type { ReactNode } from "react";
import { Icon, type IconName } from "../icon/icon.tsx";
import "./note.css";

interface NoteProps {
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export function Note({ icon = "info", children }: NoteProps) {
  return (
    <div className="note">
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  );
}
