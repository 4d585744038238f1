import type { Move, Piece, Square } from "@holo/rules/rules.ts";

export interface PlacedPiece {
  readonly id: number;
  readonly square: Square;
  readonly piece: Piece;
}

export interface PiecePlacement {
  readonly placed: readonly PlacedPiece[];
  readonly taken: readonly PlacedPiece[];
  readonly walk: Walk | null;
  readonly nextId: number;
}

interface Walk {
  readonly id: number;
  readonly path: readonly Square[];
  /** What the piece is until it reaches the last row; null if it stays what it is. */
  readonly was: Piece | null;
}

type Board = readonly (Piece | null)[];

export function placeInitialPieces(board: Board): PiecePlacement {
  return followBoard({ placed: [], taken: [], walk: null, nextId: 1 }, board, null);
}

/**
 * Matches the pieces of a new board with the old ones: by the move, else by an unchanged square,
 * else by the nearest piece of the same kind (castling, takebacks).
 */
export function followBoard(before: PiecePlacement, board: Board, move: Move | null): PiecePlacement {
  const free = new Map(before.placed.map((placed) => [placed.square, placed]));
  const found = new Map<Square, PlacedPiece>();

  function place(placed: PlacedPiece, square: Square, piece: Piece): void {
    free.delete(placed.square);
    found.set(square, { id: placed.id, square, piece });
  }

  const walk = findWalk(free, board, move);
  if (walk !== null) place(walk.placed, walk.to, board[walk.to]!);
  const open: Square[] = [];
  board.forEach((piece, square) => {
    if (piece === null || found.has(square)) return;
    const standing = free.get(square);
    if (standing !== undefined && isSamePiece(standing.piece, piece)) place(standing, square, piece);
    else open.push(square);
  });
  let { nextId } = before;
  for (const square of open) {
    const piece = board[square]!;
    const nearest = [...free.values()]
      .filter((placed) => placed.piece.seat === piece.seat)
      .sort((a, b) => toMismatch(a, piece, square) - toMismatch(b, piece, square))[0];
    if (nearest === undefined) found.set(square, { id: nextId++, square, piece });
    else place(nearest, square, piece);
  }
  return {
    placed: [...found.values()].sort((a, b) => a.id - b.id),
    taken: [...free.values()],
    walk: walk === null ? null : { id: walk.placed.id, path: walk.path, was: walk.was },
    nextId,
  };
}

function findWalk(free: ReadonlyMap<Square, PlacedPiece>, board: Board, move: Move | null) {
  if (move === null) return null;
  const from = move.path[0]!;
  const to = move.path.at(-1)!;
  const placed = free.get(from);
  if (placed === undefined || placed.piece.seat !== board[to]?.seat) return null;
  const isVacated = board[from] === null || from === to;
  const was = isSamePiece(placed.piece, board[to] ?? null) ? null : placed.piece;
  return isVacated ? { placed, to, path: move.path, was } : null;
}

export function isSamePiece(a: Piece | null, b: Piece | null): boolean {
  return a === null || b === null ? a === b : a.seat === b.seat && a.kind === b.kind;
}

/** Another kind outweighs any distance. */
function toMismatch(placed: PlacedPiece, piece: Piece, square: Square): number {
  const columns = Math.abs((placed.square & 7) - (square & 7));
  const rows = Math.abs((placed.square >> 3) - (square >> 3));
  return (placed.piece.kind === piece.kind ? 0 : 100) + columns + rows;
}
