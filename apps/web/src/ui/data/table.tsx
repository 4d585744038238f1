import type { ReactNode } from "react";
import { classes } from "../text/classes.ts";
import "./table.css";

interface TableProps {
  /** Read by screen readers; the heading above says it to the others. */
  readonly caption: string;
  /** Figures stand at the right. */
  readonly columns: readonly { readonly text: string; readonly figures?: boolean }[];
  /** Keeps to a place of its own height, in which it is scrolled: by keys too. */
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
