import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import "./pages.css";

interface PagesProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Leads through the pages of a table. At either end a button rests, so that it keeps the focus. */
export function Pages({ page, pages, onPage }: PagesProps) {
  return (
    <nav className="pages" aria-label="Pages">
      <Button size="small" resting={page <= 1} onClick={() => onPage(page - 1)}>
        <Icon name="previous" />
        Previous
      </Button>
      <span className="muted" role="status">
        Page {page} of {pages}
      </span>
      <Button size="small" resting={page >= pages} onClick={() => onPage(page + 1)}>
        Next
        <Icon name="next" />
      </Button>
    </nav>
  );
}
