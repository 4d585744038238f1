import { DARK_SQUARES } from "../../shared/board/picture/dark-squares.ts";
import "./table-placeholder.css";

/** A table in the layout of a running game, while nothing is known about it. */
export function TablePlaceholder() {
  return (
    <div className="game-page without-header table-placeholder" aria-hidden="true">
      <div className="above" />
      <div className="board-place">
        <div className="board-frame">
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <path d={DARK_SQUARES} shapeRendering="crispEdges" />
          </svg>
        </div>
      </div>
      <div className="below" />
    </div>
  );
}
