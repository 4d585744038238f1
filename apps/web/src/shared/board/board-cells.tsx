import type { Piece, PieceKind, Seat, Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { memo } from "react";
import type { BoardView } from "./board-view.ts";
import { toScreenIndex } from "./geometry.ts";

const COLOURS: Readonly<Record<Seat, string>> = { 1: "white", 2: "black" };
const KINDS: Readonly<Partial<Record<PieceKind, string>>> = { crowned: "king" };

/** "c3, white man", "d5, empty". */
function formatCell(square: Square, piece: Piece | null): string {
  return `${formatSquare(square)}, ${piece === null ? "empty" : formatPiece(piece)}`;
}

function formatPiece(piece: Piece): string {
  return `${COLOURS[piece.seat]} ${KINDS[piece.kind] ?? piece.kind}`;
}

interface CellFacts {
  /** Holocoins on the piece; null for none. */
  readonly stake: number | null;
  readonly isMovable: boolean;
  readonly mustCapture: boolean;
  /** The player may premove here. */
  readonly arePremoves: boolean;
  readonly landing: "quiet" | "capture" | undefined;
  readonly isChecked: boolean;
}

function describeCell({ stake, isMovable, mustCapture, arePremoves, landing, isChecked }: CellFacts): string {
  const said = [
    stake !== null && `stake ${stake}`,
    isChecked && "in check",
    isMovable && (arePremoves ? "can premove" : mustCapture ? "must capture" : "can move"),
    landing === "quiet" && (arePremoves ? "can be premoved to" : "can be moved to"),
    landing === "capture" && "captures",
  ];
  return said.filter((part) => part !== false).join(", ");
}

interface BoardCellProps {
  readonly square: Square;
  readonly name: string;
  readonly description: string;
  readonly isTabStop: boolean;
  readonly isChosen: boolean;
  readonly isActive: boolean;
}

const BoardCell = memo(function BoardCell(props: BoardCellProps) {
  const { square, name, description, isTabStop, isChosen, isActive } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the board
    <div
      role="gridcell"
      className={isActive ? "cell active" : "cell"}
      data-square={formatSquare(square)}
      data-index={square}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={name}
      aria-description={description === "" ? undefined : description}
      aria-selected={isChosen}
    />
  );
});

const LINES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

interface BoardCellsProps {
  readonly view: BoardView;
  readonly movable: ReadonlySet<Square>;
  readonly landings: ReadonlyMap<Square, "quiet" | "capture">;
  readonly held: Square | null;
  readonly tabStop: Square;
  readonly stake: number | null;
  readonly isFlipped: boolean;
}

export const BoardCells = memo(function BoardCells(props: BoardCellsProps) {
  const { view, movable, landings, held, tabStop, stake, isFlipped } = props;
  const { pieces, mustCapture, arePremoves, checkedSquare } = view;
  return LINES.map((row) => (
    // biome-ignore lint/a11y/useSemanticElements: see the board
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div role="row" className="row" key={row}>
      {LINES.map((column) => {
        const square = toScreenIndex(row * 8 + column, isFlipped);
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
              arePremoves,
              landing,
              isChecked: square === checkedSquare,
            })}
            isTabStop={square === tabStop}
            isChosen={square === held}
            isActive={isMovable || landing !== undefined}
          />
        );
      })}
    </div>
  ));
});
