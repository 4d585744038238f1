import { type KeyboardEvent, type MouseEvent, memo, type ReactNode, useEffect, useRef } from "react";
import { HISTORY_KEYS, stepPly } from "../../../shared/board/steps.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import { classes } from "../../../ui/text/classes.ts";
import { formatClock } from "../clock/ticking.ts";
import type { GameHistory } from "./history.ts";

interface MoveListProps {
  readonly texts: readonly string[];
  readonly history: GameHistory;
  /** The mover's remaining ms after each move; empty for none. */
  readonly timesLeft: readonly number[];
  readonly actions?: ReactNode;
}

export function MoveList({ texts, history, timesLeft, actions }: MoveListProps) {
  const list = useRef<HTMLOListElement>(null);
  const { ply, count, show } = history;
  const rows = Math.ceil(texts.length / 2);
  const home = Math.max(1, ply);

  useEffect(() => {
    const { current: element } = list;
    if (element === null) return;
    // After the next layout, which measuring here would force during the press, and when a window
    // makes the list a strip.
    const sizes = new ResizeObserver(() => bringIntoSight(element, home, home === count));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [home, count]);

  // One listener for the whole list. A key on a button is a click too.
  function handleClick({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-ply]") : null;
    if (button !== null) show(Number(button.dataset.ply));
  }

  function handleKey(event: KeyboardEvent): void {
    const step = HISTORY_KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = stepPly(ply, count, step);
    show(to);
    list.current?.querySelector<HTMLElement>(`[data-ply="${Math.max(1, to)}"]`)?.focus({ preventScroll: true });
  }

  return (
    <Panel className="move-list" label="Moves">
      <div className="head">
        <h2>Moves</h2>
        {actions}
      </div>
      <ol ref={list} aria-label="Moves" onClick={handleClick} onKeyDown={handleKey}>
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
                />
              );
            })}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Scrolls the list only, never the page. */
function bringIntoSight(list: HTMLElement, ply: number, isNewest: boolean): void {
  const button = list.querySelector<HTMLElement>(`[data-ply="${ply}"]`);
  if (button === null) return;
  const top = button.offsetTop;
  const bottom = top + button.offsetHeight;
  // The list is a strip where it is low.
  list.scrollLeft = isNewest ? list.scrollWidth : button.offsetLeft - (list.clientWidth - button.offsetWidth) / 2;
  if (isNewest) list.scrollTop = list.scrollHeight;
  else if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

interface MoveButtonProps {
  readonly ply: number;
  readonly text: string;
  readonly leftMs: number | null;
  readonly isShown: boolean;
  readonly isHome: boolean;
}

const MoveButton = memo(function MoveButton({ ply, text, leftMs, isShown, isHome }: MoveButtonProps) {
  return (
    <button
      type="button"
      className={classes("text", isShown && "shown")}
      data-ply={ply}
      tabIndex={isHome ? 0 : -1}
      aria-current={isShown ? "step" : undefined}
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
