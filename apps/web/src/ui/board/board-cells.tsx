import type { Square } from "@holo/rules/rules.ts";
import { memo } from "react";
import { BoardCell } from "./board-cell.tsx";
import type { BoardView } from "./board-view.ts";
import { describeCell, formatCell } from "./naming.ts";
import { toSeen } from "./walking.ts";

const LINES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

interface BoardCellsProps {
  readonly view: BoardView;
  readonly movable: ReadonlySet<Square>;
  readonly landings: ReadonlyMap<Square, "quiet" | "capture">;
  /** Where the piece that is held stands; null for none. */
  readonly held: Square | null;
  /** The one square that Tab comes to. */
  readonly home: Square;
  readonly stake: number | null;
  readonly isFlipped: boolean;
}

/** The rows of the grid: nothing to be seen, and everything that is read out. */
export const BoardCells = memo(function BoardCells(props: BoardCellsProps) {
  const { view, movable, landings, held, home, stake, isFlipped } = props;
  const { pieces, mustCapture, isAhead, checkedSquare } = view;
  return LINES.map((row) => (
    // biome-ignore lint/a11y/useSemanticElements: see the board
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div role="row" className="row" key={row}>
      {LINES.map((column) => {
        const square = toSeen(row * 8 + column, isFlipped);
        const piece = pieces[square] ?? null;
        const isMovable = movable.has(square);
        const landing = landings.get(square);
        return (
          <BoardCell
            key={square}
            square={square}
            name={formatCell(square, piece)}
            description={describeCell({
              stake: piece && stake,
              isMovable,
              mustCapture,
              isAhead,
              landing,
              isChecked: square === checkedSquare,
            })}
            isHome={square === home}
            isChosen={square === held}
            isActive={isMovable || landing !== undefined}
          />
        );
      })}
    </div>
  ));
});
