import type { Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { memo } from "react";

interface BoardCellProps {
  readonly square: Square;
  /** "c3, white man" */
  readonly name: string;
  readonly description: string;
  /** The one square that Tab comes to. */
  readonly isHome: boolean;
  readonly isChosen: boolean;
  /** Something happens when it is pressed. */
  readonly isActive: boolean;
}

export const BoardCell = memo(function BoardCell(props: BoardCellProps) {
  const { square, name, description, isHome, isChosen, isActive } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the board
    <div
      role="gridcell"
      className={isActive ? "cell active" : "cell"}
      data-square={formatSquare(square)}
      data-index={square}
      tabIndex={isHome ? 0 : -1}
      aria-label={name}
      aria-description={description === "" ? undefined : description}
      aria-selected={isChosen}
    />
  );
});
