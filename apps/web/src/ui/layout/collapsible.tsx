import { type ReactNode, useId, useState } from "react";
import { Icon } from "../icon/icon.tsx";
import "./collapsible.css";

interface CollapsibleProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly startsOpen?: boolean;
  readonly children: ReactNode;
}

export function Collapsible({ title, note, startsOpen = false, children }: CollapsibleProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  const titleId = useId();
  return (
    <section className="collapsible" aria-labelledby={titleId}>
      <h2>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span id={titleId}>{title}</span>
          {note}
          <Icon name="chevron" />
        </button>
      </h2>
      {isOpen && <div className="inside">{children}</div>}
    </section>
  );
}
