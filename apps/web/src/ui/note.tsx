import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import "./note.css";

/** A quiet sentence beside a control: what follows from it. */
export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <div className="note">
      <Icon name="info" />
      <p>{children}</p>
    </div>
  );
}
