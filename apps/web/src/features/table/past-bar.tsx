import { useLayoutEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { formatPly } from "./record.ts";
import { RecordSteps } from "./record-steps.tsx";
import type { TableRecord } from "./use-record.ts";
import "./bars.css";

interface PastBarProps {
  readonly record: TableRecord;
  /** Whose turn it is in the game that goes on; null once it is over. */
  readonly turnTitle: string | null;
}

/** Says that the board shows an earlier position, and leads back. */
export function PastBar({ record, turnTitle }: PastBarProps) {
  const { ply, count, newCount, leave } = record;
  // the page's own heading where it stands in the banner's place
  const Heading = turnTitle === null ? "h2" : "h1";
  const news = newCount === 0 || turnTitle === null ? "" : newCount === 1 ? "1 new move." : `${newCount} new moves.`;
  const bar = useRef<HTMLElement>(null);

  // the button that led here is gone: who pressed it by keys can press on
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    bar.current?.querySelector<HTMLElement>("[aria-label='Previous move']")?.focus({ preventScroll: true });
  }, []);

  return (
    <section ref={bar} className="bar-over past-bar" aria-label="Earlier position">
      <div className="words">
        <Heading>{formatPly(ply, count)}</Heading>
        <p>
          {news !== "" && <b>{news} </b>}
          {turnTitle ?? "Not the final position."}
        </p>
      </div>
      <RecordSteps record={record} />
      <Button size="small" onClick={leave}>
        Back to the game
      </Button>
    </section>
  );
}
