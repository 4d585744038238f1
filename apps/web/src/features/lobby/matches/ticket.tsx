import type { ReactNode } from "react";
import "./ticket.css";

interface TicketProps {
  /** Content of the stub, left of the perforation. */
  readonly stub: ReactNode;
  readonly label: string;
  readonly children: ReactNode;
}

export function Ticket({ stub, label, children }: TicketProps) {
  return (
    <article className="ticket" aria-label={label}>
      <div className="stub">{stub}</div>
      <div className="body">{children}</div>
    </article>
  );
}
