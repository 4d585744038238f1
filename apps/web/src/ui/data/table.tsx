import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import "./table.css";

interface TableProps {
  /** For screen readers only: a visible heading precedes the table. */
  readonly caption: string;
  /** Right-aligned column. */
  readonly columns: readonly { readonly text: string; readonly figures?: boolean }[];
  /** Fixed height with its own scrolling, also by keyboard. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

export function Table({ caption, columns, isLong = false, children }: TableProps) {
  return (
    <div
      className={classes("table-scroll", isLong && "long")}
      {...(isLong && { tabIndex: 0, role: "group", "aria-label": caption })}
    >
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.text} scope="col" className={column.figures === true ? "figures" : undefined}>
                {column.text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
