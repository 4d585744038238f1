import type { Random } from "@holo/kernel/random.ts";
import type { Square } from "@holo/rules/rules.ts";
import { BLACK, EMPTY, isLastRow, isOwn, KING, kindOf, otherSide, PAWN, pawnStep, QUEEN, WHITE } from "../board.ts";
import { type ChessPosition, chess } from "../chess.ts";
import { ATTACKED } from "../mate-reach.ts";
import { positionOf } from "./positions.ts";

const LETTERS = ".PNBRQK..pnbrqk";
/** Mates by white, most with the least material that can do it. */
const MATES = [
  "k1K5/8/R7/8/8/8/8/8",
  "kQK5/8/8/8/8/8/8/8",
  "k1K5/2N5/2N5/8/8/8/8/8",
  "kBK5/2N5/8/8/8/8/8/8",
  "kBK5/1B6/8/8/8/8/8/8",
  "k1K5/p1N5/8/8/8/8/8/8",
  "k7/n1K5/1N6/8/8/8/8/8",
  "k1K5/pB6/8/8/8/8/8/8",
  "k1K5/bB6/8/8/8/8/8/8",
  // Behind walls of pawns, where few pieces can move.
  "kb6/pBp5/P1P5/8/8/8/8/6K1",
  "7B/bn6/kp6/pPppp3/P1PPP2p/1K5P/B7/8",
  "7k/p4K2/Pp6/1Pp3N1/2P1p2p/4PppP/5PP1/B7",
  "8/pppppp1b/PPPPPPpk/6Pp/B6P/8/8/4K3",
  "bn6/kp1p4/pPpP2p1/P1P3Pp/7P/8/5K2/2B5",
  "2bkb3/p7/P2K4/B1p5/2Pp4/3Pppp1/4PPP1/8",
  "8/8/4pK2/2BpPp1b/p1pP1Ppk/P1P3Pp/7P/4B3",
  "6bk/4K2b/8/1p6/1P5p/3ppppP/1B1PPPP1/8",
  "6B1/ppp1pp2/PPPpPPpk/3P2Pp/7P/8/K7/8",
  "4bk2/7K/3B4/p2Bp3/Pp1pPp2/1P1P1Ppp/6PP/8",
];
const PROMOTIONS = [undefined, undefined, "n", "b", "r", "q"] as const;
const TAKE_BACKS_MAX = 12;
const TRIES_MAX = 16;

/** A mate by white among other pieces, many of them blocked pawns, and positions before it. */
export function takeBackMate(random: Random): readonly ChessPosition[] {
  const mate = positionOf(`${MATES[random(MATES.length)]} b - - 0 1`);
  let position = mate;
  for (let i = random(12); i > 0; i--) position = findMate(addPieces(position, random)) ?? position;
  const positions = [position];
  for (let i = 0; i < TAKE_BACKS_MAX; i++) {
    const before = takeBack(position, random);
    if (before === null) break;
    position = before;
    positions.push(position);
  }
  return positions;
}

function addPieces({ board }: ChessPosition, random: Random): Uint8Array {
  const changed = new Uint8Array(board);
  const square = 8 + random(40);
  // Most of them are pawns that block each other.
  const pieces = random(4) > 0 ? [PAWN | BLACK, PAWN] : [PAWN + random(QUEEN) + random(2) * BLACK];
  for (const [index, piece] of pieces.entries()) {
    if (changed[square + 8 * index] === EMPTY) changed[square + 8 * index] = piece;
  }
  return changed;
}

function findMate(board: Uint8Array): ChessPosition | null {
  const position = findPosition(board, "b");
  return position !== null && chess.outcome(position)?.type === "win" ? position : null;
}

function findPosition(board: Uint8Array, turn: "w" | "b"): ChessPosition | null {
  const letters = Array.from(board, (piece) => LETTERS[piece]!).join("");
  const rows = letters.match(/.{8}/g)!.map((row) => row.replace(/\.+/g, (gap) => String(gap.length)));
  const parsed = chess.parsePosition(`${rows.join("/")} ${turn} - - 0 1`);
  return parsed.ok ? parsed.value : null;
}

/** A position from which one legal move leads here, or null if none was found. */
function takeBack(position: ChessPosition, random: Random): ChessPosition | null {
  const mover = otherSide(position.turn);
  const origins = Array.from(position.board, (piece, to) => (isOwn(piece, mover) ? toOrigins(piece, to) : [])).flat();
  for (let i = 0; i < TRIES_MAX && origins.length > 0; i++) {
    const { from, to } = origins.splice(random(origins.length), 1)[0]!;
    if (position.board[from] !== EMPTY) continue;
    const board = new Uint8Array(position.board);
    const piece = board[to]!;
    const isPromoted = isLastRow(to) && kindOf(piece) !== KING && random(2) === 0;
    board[from] = isPromoted ? PAWN | mover : piece;
    const isCapture = random(4) === 0 || (kindOf(board[from]) === PAWN && (from & 7) !== (to & 7));
    board[to] = isCapture ? (PAWN + random(QUEEN)) | position.turn : EMPTY;
    const before = findPosition(board, mover === WHITE ? "w" : "b");
    if (before === null) continue;
    const played = chess.play(before, [from, to], isPromoted ? PROMOTIONS[kindOf(piece)] : undefined);
    if (played.ok && String(played.value.position.board) === String(position.board)) return before;
  }
  return null;
}

function toOrigins(piece: number, to: Square): { readonly from: Square; readonly to: Square }[] {
  const reversed = kindOf(piece) === PAWN ? piece ^ BLACK : piece;
  const steps = kindOf(piece) === PAWN ? [to - pawnStep((piece & BLACK) === WHITE ? WHITE : BLACK)] : [];
  return [...steps, ...ATTACKED[reversed * 64 + to]!].map((from) => ({ from, to }));
}

/** The same position with the sides exchanged. */
export function mirror(position: ChessPosition): ChessPosition {
  const [placement, turn] = chess.formatPosition(position).split(" ");
  const rows = placement!.split("/").reverse();
  const swapped = rows
    .join("/")
    .replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
  return positionOf(`${swapped} ${turn === "w" ? "b" : "w"} - - 0 1`);
}
