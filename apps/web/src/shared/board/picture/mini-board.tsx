import type { GameType, Piece } from "@holo/rules/rules.ts";
import { usePieceSet } from "../piece-sets/piece-sets.ts";
import { DARK_SQUARES } from "./dark-squares.ts";
import "./mini-board.css";

interface MiniBoardProps {
  readonly game: GameType;
  /** 64 squares, row 0 first, from player 1's side. */
  readonly pieces: readonly (Piece | null)[];
}

/** Hidden from screen readers: the text beside it says the same. */
export function MiniBoard({ game, pieces }: MiniBoardProps) {
  usePieceSet(game);
  return (
    <svg className="mini-board" viewBox="0 0 8 8" aria-hidden="true" focusable="false">
      <rect width="8" height="8" className="light" />
      <path d={DARK_SQUARES} className="dark" shapeRendering="crispEdges" />
      {pieces.map((piece, square) =>
        piece === null ? null : (
          <MiniPiece key={squareName(square)} piece={piece} column={square & 7} row={square >> 3} />
        ),
      )}
    </svg>
  );
}

function MiniPiece({ piece, column, row }: { readonly piece: Piece; readonly column: number; readonly row: number }) {
  switch (piece.kind) {
    case "man":
      return <circle className={`seat-${piece.seat}`} cx={column + 0.5} cy={row + 0.5} r=".36" />;
    case "crowned":
      return <use href={`#crowned-${piece.seat}`} x={column + 0.04} y={row + 0.04} width=".92" height=".92" />;
    default:
      return <use href={`#${piece.kind}-${piece.seat}`} x={column} y={row} width="1" height="1" />;
  }
}

function squareName(square: number): string {
  return `square-${square}`;
}
