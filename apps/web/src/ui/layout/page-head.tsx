import type { ReactNode } from "react";
import "./page-head.css";

/** A page's name, and its one act at the right. */
export function PageHead({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
