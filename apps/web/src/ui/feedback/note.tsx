import type { ReactNode } from "react";
import { Icon, type IconName } from "../icon/icon.tsx";
import "./note.css";

interface NoteProps {
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A quiet hint beside a control. */
export function Note({ icon = "info", children }: NoteProps) {
  return (
    <div className="note">
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  );
}
