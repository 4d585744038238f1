import { type KeyboardEvent, memo, type ReactNode, useEffect, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import { Panel } from "../../ui/panel.tsx";
import { RECORD_KEYS, stepThrough } from "./record.ts";
import { RecordSteps } from "./record-steps.tsx";
import { formatClock } from "./ticking.ts";
import type { TableRecord } from "./use-record.ts";
import "./move-list.css";

interface MoveListProps {
  readonly texts: readonly string[];
  readonly record: TableRecord;
  /** What the clock of each move's player showed after it, in ms; empty for none. */
  readonly timesLeft: readonly number[];
  /** Buttons beside the heading. */
  readonly acts?: ReactNode;
}

/** The moves of the game. Each leads to its position; one of them is reached by Tab, and arrows, Home and End walk from there. */
export function MoveList({ texts, record, timesLeft, acts }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  const { ply, count, show } = record;
  const rows = Math.ceil(texts.length / 2);
  const home = Math.max(1, ply);

  useEffect(() => {
    // Asked in the middle of a press, the page would be laid out for it then and there; in the frame it is laid out anyway.
    const frame = requestAnimationFrame(() => {
      if (list.current !== null) bringIntoSight(list.current, home, home === count);
    });
    return () => cancelAnimationFrame(frame);
  }, [home, count]);

  function handleKey(event: KeyboardEvent): void {
    const step = RECORD_KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = stepThrough(ply, count, step);
    show(to);
    list.current?.querySelector<HTMLElement>(`[data-ply="${Math.max(1, to)}"]`)?.focus({ preventScroll: true });
  }

  return (
    <Panel className="move-list" label="Moves">
      <div className="head">
        <h2>Moves</h2>
        {acts}
      </div>
      <ol ref={list} aria-label="Moves" onKeyDown={handleKey}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: moves only come and go at the end
          <li key={row}>
            <span className="number">{row + 1}.</span>
            {texts.slice(2 * row, 2 * row + 2).map((text, index) => {
              const at = 2 * row + index + 1;
              return (
                <MoveButton
                  key={at}
                  ply={at}
                  text={text}
                  leftMs={timesLeft[at - 1] ?? null}
                  isShown={at === ply}
                  isHome={at === home}
                  onShow={show}
                />
              );
            })}
          </li>
        ))}
      </ol>
      <RecordSteps record={record} />
    </Panel>
  );
}

/** Scrolls the list alone, never the page. */
function bringIntoSight(list: HTMLElement, ply: number, isNewest: boolean): void {
  const button = list.querySelector<HTMLElement>(`[data-ply="${ply}"]`);
  if (button === null) return;
  const top = button.offsetTop;
  const bottom = top + button.offsetHeight;
  if (isNewest) list.scrollTop = list.scrollHeight;
  else if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

interface MoveButtonProps {
  readonly ply: number;
  readonly text: string;
  readonly leftMs: number | null;
  readonly isShown: boolean;
  /** The one move that Tab comes to. */
  readonly isHome: boolean;
  readonly onShow: (ply: number) => void;
}

const MoveButton = memo(function MoveButton({ ply, text, leftMs, isShown, isHome, onShow }: MoveButtonProps) {
  return (
    <button
      type="button"
      className={classes("text", isShown && "shown")}
      data-ply={ply}
      tabIndex={isHome ? 0 : -1}
      aria-current={isShown ? "step" : undefined}
      onClick={() => onShow(ply)}
    >
      {text}
      {leftMs !== null && (
        <span className="left">
          <span className="visually-hidden">, time left </span>
          {formatClock(leftMs)}
        </span>
      )}
    </button>
  );
});
