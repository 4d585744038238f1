import {
  BISHOP,
  BLACK,
  type Board,
  colourOf,
  EMPTY,
  KING,
  KNIGHT,
  kindOf,
  PAWN,
  QUEEN,
  ROOK,
  type Side,
} from "./board.ts";

/**
 * Whether neither side can ever mate with this material: king against king, one minor piece, or any
 * number of bishops on one colour (FIDE 5.2.2, as far as material decides it).
 */
export function isInsufficientMaterial(board: Board): boolean {
  let knights = 0;
  let bishops = 0;
  let bishopColours = 0;
  for (let square = 0; square < 64; square++) {
    const kind = kindOf(board[square]!);
    if (kind === EMPTY || kind === KING) continue;
    if (kind === KNIGHT) knights++;
    else if (kind === BISHOP) {
      bishops++;
      bishopColours |= 1 << colourOf(square);
    } else return false;
  }
  if (knights > 0) return knights === 1 && bishops === 0;
  return bishopColours !== 3;
}

/**
 * Whether some series of legal moves could let the side mate, as far as material decides it (FIDE
 * 6.9). The other side may help. True in doubt. docs/decisions/rules.md has the exceptions.
 */
export function hasMatingMaterial(board: Board, side: Side): boolean {
  let knights = 0;
  let bishopColours = 0;
  // All but queens: pieces that can block their own king.
  let theirBlockers = 0;
  let theirKnightsOrPawns = 0;
  let theirBishopColours = 0;
  for (let square = 0; square < 64; square++) {
    const piece = board[square]!;
    const kind = kindOf(piece);
    if (kind === EMPTY || kind === KING) continue;
    if ((piece & BLACK) !== side) {
      if (kind !== QUEEN) theirBlockers++;
      if (kind === KNIGHT || kind === PAWN) theirKnightsOrPawns++;
      if (kind === BISHOP) theirBishopColours |= 1 << colourOf(square);
    } else if (kind === PAWN || kind === ROOK || kind === QUEEN) return true;
    else if (kind === KNIGHT) knights++;
    else bishopColours |= 1 << colourOf(square);
  }
  if (knights > 0) return knights > 1 || bishopColours !== 0 || theirBlockers > 0;
  if (bishopColours === 0) return false;
  return theirKnightsOrPawns > 0 || (bishopColours | theirBishopColours) === 3;
}
