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
 * Whether the material alone lets neither side ever mate: king against king, king and one minor piece against king, and any number of
 * bishops that all stand on squares of one colour (FIDE 5.2.2, as far as material decides it).
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
 * Whether some series of legal moves could let the side mate, as far as material decides it (FIDE 6.9). The other side may help, so its
 * own pieces count as blockers of its king, and its pawns as whatever they may become:
 * - a pawn, a rook or a queen mates; so do two knights, knight and bishop, or bishops on both colours (against a bare king in the corner);
 * - a lone king never does, since only another piece gives check;
 * - one knight mates a king in a corner whose last flight square is blocked by a pawn, knight, bishop or rook. A queen that blocks it
 *   reaches the knight's square or takes the knight's check away, and a bare king keeps a flight square;
 * - bishops of one colour leave a cornered king two flight squares of the other colour, of which the mating king covers one. The last
 *   one can be blocked by a pawn, a knight or a bishop of the other colour, which cannot come between; a rook or a queen there can
 *   step between or take the bishop, and a bishop of the same colour cannot stand there.
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
