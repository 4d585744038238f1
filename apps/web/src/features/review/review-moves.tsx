import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef } from "react";
import { HISTORY_KEYS, stepPly } from "../../shared/board/steps.ts";
import type { ReviewedMove } from "../../shared/evaluation/reviewed-game.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import type { Judgement, Quality } from "./judgement.ts";
import { QUALITY_NAMES, QualityMark } from "./quality-mark.tsx";

interface ReviewMovesProps {
  readonly moves: readonly ReviewedMove[];
  readonly judgements: readonly (Judgement | null)[];
  readonly ply: number;
  readonly onShow: (ply: number) => void;
  readonly onPress: (ply: number) => void;
}

export function ReviewMoves({ moves, judgements, ply, onShow, onPress }: ReviewMovesProps) {
  const list = useRef<HTMLOListElement>(null);
  const home = Math.max(1, ply);

  useEffect(() => {
    if (home === 1) {
      list.current?.scrollTo(0, 0);
      return;
    }
    // In the next frame, since measuring here would force a layout during the press.
    const frame = requestAnimationFrame(() => bringIntoSight(list.current, home));
    return () => cancelAnimationFrame(frame);
  }, [home]);

  // One listener for the whole list. A key on a button is a click too.
  function handleClick({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-ply]") : null;
    if (button !== null) onPress(Number(button.dataset.ply));
  }

  function handleKey(event: KeyboardEvent): void {
    const step = HISTORY_KEYS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = stepPly(ply, moves.length, step);
    onShow(to);
    findButton(list.current, Math.max(1, to))?.focus({ preventScroll: true });
  }

  return (
    <Panel className="review-moves" label="Moves">
      <h2>Moves</h2>
      <ol ref={list} aria-label="Moves" onClick={handleClick} onKeyDown={handleKey}>
        {moves.map(({ text, isForced }, index) => (
          <MoveItem
            // biome-ignore lint/suspicious/noArrayIndexKey: the game is over
            key={index}
            ply={index + 1}
            text={text}
            isForced={isForced}
            quality={judgements[index]?.quality ?? null}
            isShown={index + 1 === ply}
            isHome={index + 1 === home}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface MoveItemProps {
  readonly ply: number;
  readonly text: string;
  readonly isForced: boolean;
  /** Null until the computer has looked at it. */
  readonly quality: Quality | null;
  readonly isShown: boolean;
  readonly isHome: boolean;
}

const MoveItem = memo(function MoveItem({ ply, text, isForced, quality, isShown, isHome }: MoveItemProps) {
  return (
    <li>
      {ply % 2 === 1 && <span className="number">{(ply + 1) / 2}.</span>}
      <button
        type="button"
        className={classes("text", isShown && "shown")}
        data-ply={ply}
        tabIndex={isHome ? 0 : -1}
        aria-current={isShown ? "step" : undefined}
      >
        {text}
        {quality !== null && (
          <>
            <QualityMark quality={quality} />
            <span className="visually-hidden">, {QUALITY_NAMES[quality].toLowerCase()}</span>
          </>
        )}
        {isForced && <span className="visually-hidden">, only move</span>}
      </button>
    </li>
  );
});

function findButton(list: HTMLElement | null, ply: number): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-ply="${ply}"]`) ?? null;
}

/** Scrolls the list only, never the page. */
function bringIntoSight(list: HTMLElement | null, ply: number): void {
  const button = findButton(list, ply);
  if (list === null || button === null) return;
  const top = button.offsetTop;
  const bottom = top + button.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
