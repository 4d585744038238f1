import { memo, type ReactNode } from "react";
import { usePlyList } from "../../../shared/board/history/use-ply-list.ts";
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
  const { ply, count, show } = history;
  const { list, home, handleClick, handleKey } = usePlyList({ ply, count, onShow: show, onPress: show });
  const rows = Math.ceil(texts.length / 2);

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
