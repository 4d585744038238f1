import type { Piece, PieceKind, Seat, Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";

const COLOURS: Readonly<Record<Seat, string>> = { 1: "white", 2: "black" };
/** A crowned man of checkers is called a king. */
const KINDS: Readonly<Partial<Record<PieceKind, string>>> = { crowned: "king" };

/** "c3, white man", "d5, empty". */
export function formatCell(square: Square, piece: Piece | null): string {
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
  readonly isAhead: boolean;
  readonly landing: "quiet" | "capture" | undefined;
  readonly isChecked: boolean;
}

/** "stake 5, can move". */
export function describeCell({ stake, isMovable, mustCapture, isAhead, landing, isChecked }: CellFacts): string {
  const said = [
    stake !== null && `stake ${stake}`,
    isChecked && "in check",
    isMovable && (isAhead ? "can premove" : mustCapture ? "must capture" : "can move"),
    landing === "quiet" && (isAhead ? "can be premoved to" : "can be moved to"),
    landing === "capture" && "captures",
  ];
  return said.filter((part) => part !== false).join(", ");
}
