import { gameOf } from "@holo/rules/registry.ts";
import type { Square } from "@holo/rules/rules.ts";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { classes } from "../../ui/text/classes.ts";
import { BoardCells } from "./board-cells.tsx";
import { BoardMarks } from "./board-marks.tsx";
import { BoardPieces } from "./board-pieces.tsx";
import type { BoardView } from "./board-view.ts";
import { NOTHING_CHOSEN } from "./choice.ts";
import { DARK_SQUARES } from "./picture/dark-squares.ts";
import { usePieceSet } from "./piece-sets/piece-sets.ts";
import { useBoardSettings } from "./settings/board-settings.ts";
import { useBoardInput } from "./use-board-input.ts";
import "./board.css";

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7] as const;

interface BoardProps {
  readonly view: BoardView;
  /** From player 2's side. */
  readonly isFlipped: boolean;
  /** Holocoins on each piece; null for none. */
  readonly stake: number | null;
  readonly onMove: (path: readonly Square[]) => void;
  readonly announcement: string;
  /** The game is over: the board fades for a moment. */
  readonly isOver?: boolean;
  readonly isPast?: boolean;
  readonly premove?: readonly [Square, Square] | null;
  /** A press elsewhere, or Escape. */
  readonly onPremoveCancel?: () => void;
  readonly children?: ReactNode;
}

export function Board(props: BoardProps) {
  const { view, isFlipped, stake, onMove, announcement, isOver = false, isPast = false, premove = null } = props;
  const { onPremoveCancel } = props;
  const { coordinates, speed } = useBoardSettings();
  const input = useBoardInput({ view, isFlipped, hasPremove: premove !== null, onMove, onPremoveCancel });
  const { chosen, held, movable, landings, tabStop } = input;
  // The names of the cells render in a later task, so that the press is drawn sooner.
  const current = useMemo(
    () => ({ view, movable, landings, held, tabStop, stake, isFlipped }),
    [view, movable, landings, held, tabStop, stake, isFlipped],
  );
  const cells = useDeferredValue(current);
  usePieceSet(view.game);

  return (
    <div
      className={classes(
        "board-frame",
        `speed-${speed}`,
        isOver && "over",
        isPast && "past",
        !coordinates && "without-coordinates",
      )}
    >
      <ol className="ranks" aria-hidden="true">
        {ROWS.map((row) => (
          <li key={row}>{isFlipped ? row + 1 : 8 - row}</li>
        ))}
      </ol>
      <div className={classes("board", gameOf(view.game).look)}>
        <svg className="squares" viewBox="0 0 8 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          <path d={DARK_SQUARES} shapeRendering="crispEdges" />
        </svg>
        <BoardMarks
          view={view}
          chosen={chosen}
          landings={landings}
          target={input.target}
          movable={view.mustCapture && chosen.length === 0 ? movable : null}
          victims={input.victims}
          premove={premove}
          isFlipped={isFlipped}
        />
        <BoardPieces
          view={view}
          // A piece that is only held does not move: the pieces do not render.
          chosen={chosen.length > 1 ? chosen : NOTHING_CHOSEN}
          isFlipped={isFlipped}
          stake={stake}
          walkedCount={input.walkedCount}
          premove={premove}
        />
        {/* biome-ignore lint/a11y/useSemanticElements: a board is no table of data; its cells are pressed */}
        <div className="cells" role="grid" aria-label="Board" aria-busy={cells !== current} {...input.gridProps}>
          <BoardCells {...cells} />
        </div>
        {props.children}
      </div>
      <ol className="files" aria-hidden="true">
        {[..."abcdefgh"].map((file, index, files) => (
          <li key={file}>{isFlipped ? files[7 - index] : file}</li>
        ))}
      </ol>
      <p className="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </div>
  );
}
