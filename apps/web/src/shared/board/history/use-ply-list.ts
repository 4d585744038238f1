import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef } from "react";
import { HISTORY_KEYS, stepPly } from "../steps.ts";

interface PlyListOptions {
  readonly ply: number;
  readonly count: number;
  readonly onShow: (ply: number) => void;
  /** A press on a move. */
  readonly onPress: (ply: number) => void;
}

interface PlyList {
  readonly list: RefObject<HTMLOListElement | null>;
  /** The move that the tab key reaches. */
  readonly home: number;
  /** One listener for the whole list. A key on a button is a click too. */
  handleClick(event: MouseEvent): void;
  handleKey(event: KeyboardEvent): void;
}

/** Moves whose buttons have `data-ply`: keys step through them; the shown one stays in sight. */
export function usePlyList({ ply, count, onShow, onPress }: PlyListOptions): PlyList {
  const list = useRef<HTMLOListElement>(null);
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

  return {
    list,
    home,
    handleClick({ target }) {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-ply]") : null;
      if (button !== null) onPress(Number(button.dataset.ply));
    },
    handleKey(event) {
      const step = HISTORY_KEYS[event.key];
      if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const to = stepPly(ply, count, step);
      onShow(to);
      findButton(list.current, Math.max(1, to))?.focus({ preventScroll: true });
    },
  };
}

function findButton(list: HTMLElement | null, ply: number): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-ply="${ply}"]`) ?? null;
}

/** Scrolls the list only, never the page. */
function bringIntoSight(list: HTMLElement, ply: number, isNewest: boolean): void {
  const button = findButton(list, ply);
  if (button === null) return;
  const top = button.offsetTop;
  const bottom = top + button.offsetHeight;
  // The list is a strip where it is low.
  list.scrollLeft = isNewest ? list.scrollWidth : button.offsetLeft - (list.clientWidth - button.offsetWidth) / 2;
  if (isNewest) list.scrollTop = list.scrollHeight;
  else if (ply === 1) list.scrollTop = 0;
  else if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
