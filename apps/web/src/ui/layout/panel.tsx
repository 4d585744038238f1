import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import "./panel.css";

interface PanelProps {
  readonly children: ReactNode;
  readonly className?: string;
  readonly label?: string;
}

export function Panel({ children, className, label }: PanelProps) {
  return (
    <section className={classes("panel", className)} aria-label={label}>
      {children}
    </section>
  );
}
