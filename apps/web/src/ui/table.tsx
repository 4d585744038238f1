import type { ReactNode } from "react";
import "./table.css";

interface TableProps {
  /** Read by screen readers; the heading above says it to the others. */
  readonly caption: string;
  /** Figures stand at the right. */
  readonly columns: readonly { readonly text: string; readonly figures?: boolean }[];
  readonly children: ReactNode;
}

export function Table({ caption, columns, children }: TableProps) {
  return (
    <div className="table-scroll">
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
