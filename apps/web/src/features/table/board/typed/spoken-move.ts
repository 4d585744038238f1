import { gameOf } from "@holo/rules/registry.ts";
import { type GameRules, type Move, type PieceKind, PROMOTED, type Promotion, type Square } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { type Part, readWords } from "./spoken-words.ts";

/** `ask` tells what to add if several moves fit. */
export type SpokenMove =
  | { readonly type: "move"; readonly move: Move }
  | { readonly type: "ambiguous"; readonly ask: string }
  | { readonly type: "none" };

const NONE: SpokenMove = { type: "none" };
/** A longer text is no move, and would have too many readings. */
const WORDS_MAX = 14;

/** One way to understand a text. */
interface Reading {
  readonly kind: PieceKind | null;
  /** The squares of the path, or where it ends. */
  readonly squares: readonly Square[];
  readonly file: number | null;
  readonly rank: number | null;
  readonly isCapture: boolean;
  readonly victim: PieceKind | null;
  readonly promotion: Promotion | null;
  readonly castling: "king" | "queen" | "either" | null;
}

/**
 * Reads a move in the game's notation, or as people say it: "c3 to d4", "knight to f three",
 * "castle short", "e seven e eight queen".
 */
export function parseSpokenMove<Position>(rules: GameRules<Position>, position: Position, text: string): SpokenMove {
  const written = rules.parseMove(position, text);
  if (written.ok) return { type: "move", move: written.value };
  const words = readWords(rules.game, text);
  if (words === null || words.length > WORDS_MAX) return NONE;
  const moves = rules.legalMoves(position);
  const { look } = gameOf(rules.game);
  for (const parts of listReadings(words)) {
    const reading = toReading(parts, look);
    const meant = reading === null ? [] : findMoves(rules, position, moves, reading);
    if (meant.length === 1) return { type: "move", move: meant[0]! };
    if (meant.length > 1) return { type: "ambiguous", ask: toQuestion(meant, reading?.castling !== null) };
  }
  return NONE;
}

/** Every choice of meanings, the likeliest first. */
function* listReadings(words: readonly (readonly Part[])[]): Generator<readonly Part[]> {
  const [first, ...rest] = words;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const part of first) for (const others of listReadings(rest)) yield [part, ...others];
}

function toReading(parts: readonly Part[], look: "discs" | "figures"): Reading | null {
  const reading = {
    kind: null as PieceKind | null,
    squares: [] as Square[],
    file: null as number | null,
    rank: null as number | null,
    isCapture: false,
    victim: null as PieceKind | null,
    promotion: null as Promotion | null,
    castling: null as Reading["castling"],
  };
  const said = parts.filter(({ type }) => type !== "filler");
  for (let at = 0; at < said.length; at += 1) {
    const part = said[at]!;
    const next = said[at + 1];
    if (part.type === "file" && next?.type === "rank") {
      reading.squares.push((8 - next.rank) * 8 + part.file);
      at += 1;
    } else if (part.type === "file" || part.type === "rank") {
      // A part of the square where the piece is, before the one where it goes.
      if (reading.squares.length > 0 || reading.file !== null || reading.rank !== null) return null;
      if (part.type === "file") reading.file = part.file;
      else reading.rank = part.rank;
    } else if (part.type === "takes") {
      reading.isCapture = true;
    } else if (part.type === "castle") {
      if (reading.castling !== null && reading.castling !== "either" && part.side !== null) return null;
      reading.castling = part.side ?? reading.castling ?? "either";
    } else if (part.type === "piece" && !addPiece(reading, part.kind, said[at - 1]?.type, look)) return null;
  }
  const isEmpty = reading.squares.length === 0 && reading.victim === null && reading.castling === null;
  return isEmpty || (reading.castling !== null && reading.squares.length > 0) ? null : reading;
}

/** First the piece that moves, after "takes" the one that is taken, last what a pawn becomes. */
function addPiece(
  reading: { -readonly [Key in keyof Reading]: Reading[Key] },
  kind: PieceKind,
  before: Part["type"] | undefined,
  look: "discs" | "figures",
): boolean {
  if (before === "takes") reading.victim = kind;
  else if (reading.kind === null && reading.squares.length === 0) reading.kind = kind;
  else if (look === "figures" && reading.squares.length > 0 && reading.promotion === null) {
    reading.promotion = PROMOTION_OF.get(kind) ?? null;
    return reading.promotion !== null;
  } else return look === "discs" && reading.squares.length > 0;
  return true;
}

const PROMOTION_OF: ReadonlyMap<PieceKind, Promotion> = new Map(
  Object.entries(PROMOTED).map(([letter, kind]) => [kind, letter as Promotion]),
);

/** The moves that a reading fits, one of those that take the same pieces on their way. */
function findMoves<Position>(
  rules: GameRules<Position>,
  position: Position,
  moves: readonly Move[],
  reading: Reading,
): readonly Move[] {
  const { look } = gameOf(rules.game);
  const kindAt = (square: Square) => rules.pieceAt(position, square)?.kind ?? null;
  const fitting = moves.filter(
    (move) =>
      (reading.kind === null || kindAt(move.path[0]!) === reading.kind) &&
      isNamed(move.path, reading.squares) &&
      (reading.file === null || (move.path[0]! & 7) === reading.file) &&
      (reading.rank === null || 8 - (move.path[0]! >> 3) === reading.rank) &&
      (!reading.isCapture || move.captured.length > 0) &&
      (reading.victim === null || move.captured.some((square) => kindAt(square) === reading.victim)) &&
      (reading.promotion === null ? (move.promotion ?? "q") === "q" : move.promotion === reading.promotion) &&
      (reading.castling === null || isCastling(move, kindAt(move.path[0]!), reading.castling)),
  );
  // As in notation, a move without a piece and its square is a pawn's.
  const isPawns =
    look === "figures" && reading.kind === null && reading.squares.length < 2 && reading.castling === null;
  const meant = isPawns ? fitting.filter((move) => kindAt(move.path[0]!) === "pawn") : fitting;
  return meant.filter((move, index) => !meant.slice(0, index).some((earlier) => hasSameEffect(earlier, move)));
}

function isNamed(path: readonly Square[], squares: readonly Square[]): boolean {
  if (squares.length > 0 && squares.at(-1) !== path.at(-1)) return false;
  if (squares.length < 2) return true;
  if (squares[0] !== path[0]) return false;
  let at = 0;
  for (const square of path) if (square === squares[at]) at += 1;
  return at === squares.length;
}

function isCastling({ path }: Move, kind: PieceKind | null, side: "king" | "queen" | "either"): boolean {
  const columns = (path[1]! & 7) - (path[0]! & 7);
  return kind === "king" && Math.abs(columns) === 2 && (side === "either" || (side === "king") === columns > 0);
}

function hasSameEffect(a: Move, b: Move): boolean {
  const ends = ({ path }: Move) => `${path[0]} ${path.at(-1)}`;
  const taken = ({ captured, promotion }: Move) => `${captured.toSorted((x, y) => x - y)} ${promotion}`;
  return ends(a) === ends(b) && taken(a) === taken(b);
}

function toQuestion(moves: readonly Move[], isCastling: boolean): string {
  if (isCastling) return "You can castle on both sides. Add kingside or queenside.";
  const starts = [...new Set(moves.map(({ path }) => path[0]!))].map(formatSquare);
  const ends = [...new Set(moves.map(({ path }) => path.at(-1)!))].map(formatSquare);
  if (starts.length > 1) return `More than one piece can do that. Add where it starts: ${starts.join(" or ")}.`;
  if (ends.length > 1) return `It can go to more than one square. Add which: ${ends.join(" or ")}.`;
  return "There's more than one way there. Add every square it lands on.";
}
