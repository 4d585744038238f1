import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import "./panel.css";

interface PanelProps {
  readonly children: ReactNode;
  readonly className?: string;
  readonly label?: string;
  /** It may scroll and has no control: the keyboard must be able to focus it. */
  readonly isScrollable?: boolean;
}

export function Panel({ children, className, label, isScrollable = false }: PanelProps) {
  return (
    <section className={classes("panel", className)} aria-label={label} tabIndex={isScrollable ? 0 : undefined}>
      {children}
    </section>
  );
}
