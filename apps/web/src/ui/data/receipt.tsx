import type { ReactNode } from "react";
import "./receipt.css";

/** An itemised sum: terms with dotted leaders, then a total. */
export function Receipt({ children }: { readonly children: ReactNode }) {
  return <dl className="receipt">{children}</dl>;
}

interface ReceiptRowProps {
  readonly term: ReactNode;
  readonly children: ReactNode;
}

export function ReceiptRow({ term, children }: ReceiptRowProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ReceiptTotalProps extends ReceiptRowProps {
  /** The same sum in another currency, or a remark. */
  readonly note?: ReactNode;
}

export function ReceiptTotal({ term, children, note }: ReceiptTotalProps) {
  return (
    <div className="total">
      <dt>{term}</dt>
      <dd>{children}</dd>
      {note !== undefined && <dd className="meta">{note}</dd>}
    </div>
  );
}
