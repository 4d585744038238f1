import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import "./badge.css";

export type BadgeKind = "plain" | "live" | "pending" | "active" | "done" | "lost";

export function Badge({ kind = "plain", children }: { readonly kind?: BadgeKind; readonly children: ReactNode }) {
  return <span className={classes("badge", kind)}>{children}</span>;
}
