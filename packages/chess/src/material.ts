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
 * Whether some series of legal moves could let the side mate, as far as material decides it (FIDE 6.9). The other side may help: its
 * pieces can block its own king in. In doubt it is true; each line below that says never was also checked by going through all positions
 * of that material with up to two pieces on the other side.
 * - A pawn, rook or queen is enough, and so are two knights, knight and bishop, or bishops on both colours, against a bare king.
 * - A lone king never mates: only another piece gives check.
 * - One knight needs a pawn, knight, bishop or rook that blocks its own king in. Against a bare king or queens it never mates: seen from
 *   a king on (0,0) with the knight on (1,2), queens on (0,1), (1,1) or (1,0) could take the knight, so that the other king would have to
 *   cover all three, and no square does.
 * - Bishops of one colour need a pawn, a knight or a bishop of the other colour on the other side. Otherwise they never mate: the king's
 *   two neighbours beside the checking diagonal are of the colour they cannot reach, the other king covers at most one of them, and the rook or
 *   queen that blocks the other one steps between or takes the bishop.
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
