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
export function isInsufficient(board: Board): boolean {
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
 * 6.9). The other side may help. True in doubt. Each "never" below was also checked over all
 * positions of that material with up to two pieces on the other side.
 * - A pawn, rook, queen, two knights, knight and bishop, or bishops on both colours are enough.
 * - A lone king never mates: only another piece gives check.
 * - One knight needs a pawn, knight, bishop or rook that blocks the other king in. Against queens
 *   alone it never mates: with the king on (0,0) and the knight on (1,2), queens on (0,1), (1,1)
 *   and (1,0) could take the knight, and no square of the other king covers all three.
 * - Bishops of one colour need a pawn, a knight or a bishop of the other colour on the other side.
 *   Otherwise both neighbours of the king beside the checking diagonal have the other colour. The
 *   other king covers at most one; the blocker on the second one interposes or takes the bishop.
 */
export function hasMatingMaterial(board: Board, side: Side): boolean {
  let knights = 0;
  let bishopColours = 0;
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
