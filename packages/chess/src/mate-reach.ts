import type { Square } from "@holo/rules/rules.ts";
import {
  BISHOP,
  BLACK,
  EMPTY,
  isLastRow,
  KING,
  KNIGHT,
  kindOf,
  NOWHERE,
  otherSide,
  PAWN,
  pawnStep,
  ROOK,
  type Side,
  WHITE,
} from "./board.ts";
import { DIRECTIONS, FIRST_DIAGONAL, KING_TARGETS, KNIGHT_TARGETS, REACH, STEPS } from "./geometry.ts";
import { type ChessPosition, kingOf } from "./position.ts";

/** A piece and what may ever happen to it. Only grows, until nothing changes any more. */
interface Walker {
  readonly piece: number;
  readonly side: Side;
  readonly home: Square;
  /** Where it may ever stand. */
  readonly squares: Square[];
  readonly isReached: Uint8Array;
  mayBeTaken: boolean;
}

interface Reach {
  readonly walkers: readonly Walker[];
  readonly byHome: readonly (Walker | undefined)[];
}

/** At piece * 64 + square: the squares that the piece attacks from there, sliders for one step. */
export const ATTACKED = Array.from({ length: 16 * 64 }, (_, index) => toAttacked(index >> 6, index & 63));

/**
 * Whether the side might mate by any series of legal moves. False is a proof; true proves nothing,
 * because turns, pins and checks are ignored. docs/decisions/rules.md explains the steps.
 */
export function mayEverMate(position: ChessPosition, side: Side): boolean {
  const reach = toReach(position);
  let hasGrown = true;
  while (hasGrown) {
    hasGrown = false;
    for (const walker of reach.walkers) {
      if (walk(reach, walker)) hasGrown = true;
      // A promoted piece could go anywhere.
      if (kindOf(walker.piece) === PAWN && walker.squares.some(isLastRow)) return true;
    }
    if (capture(reach, WHITE) || capture(reach, BLACK)) hasGrown = true;
  }
  return hasMate(reach, side, reach.byHome[kingOf(position, otherSide(side))]!);
}

function toReach({ board, enPassant, turn }: ChessPosition): Reach {
  const byHome = Array.from(board, (piece, home) => (piece === EMPTY ? undefined : toWalker(piece, home)));
  // A pawn that has just passed a square can still be taken there.
  if (enPassant !== NOWHERE) addSquare(byHome[enPassant - pawnStep(turn)]!, enPassant);
  return { walkers: byHome.filter((walker) => walker !== undefined), byHome };
}

function toWalker(piece: number, home: Square): Walker {
  const side: Side = (piece & BLACK) === WHITE ? WHITE : BLACK;
  const walker = { piece, side, home, squares: [], isReached: new Uint8Array(64), mayBeTaken: false };
  addSquare(walker, home);
  return walker;
}

function addSquare(walker: Pick<Walker, "squares" | "isReached">, square: Square): void {
  walker.isReached[square] = 1;
  walker.squares.push(square);
}

/** Single steps make up the way of a slider, a double step and castling. True: it grew. */
function walk(reach: Reach, walker: Walker): boolean {
  const before = walker.squares.length;
  const isPawn = kindOf(walker.piece) === PAWN;
  // The list grows while it is walked.
  for (const from of walker.squares) {
    for (const to of ATTACKED[walker.piece * 64 + from]!) {
      if (walker.isReached[to] === 0 && mayEnter(reach, walker, to)) addSquare(walker, to);
    }
    const ahead = from + pawnStep(walker.side);
    if (isPawn && !isLastRow(from) && walker.isReached[ahead] === 0 && mayLeave(reach.byHome[ahead], walker)) {
      addSquare(walker, ahead);
    }
  }
  return walker.squares.length > before;
}

/** Whether the piece may ever step on the square that it attacks. */
function mayEnter(reach: Reach, walker: Walker, to: Square): boolean {
  const enemy = otherSide(walker.side);
  if (kindOf(walker.piece) === PAWN) return mayStand(reach, enemy, to);
  if (kindOf(walker.piece) === KING && isGuarded(reach, enemy, to)) return false;
  const occupant = reach.byHome[to];
  return occupant?.side === enemy || mayLeave(occupant, walker);
}

/** Whether the side may ever have a piece other than its king on the square. */
function mayStand(reach: Reach, side: Side, square: Square): boolean {
  return reach.walkers.some((w) => w.side === side && kindOf(w.piece) !== KING && w.isReached[square] === 1);
}

/** Whether a piece that neither moves nor is taken attacks the square. */
function isGuarded(reach: Reach, side: Side, square: Square): boolean {
  return reach.walkers.some((w) => w.side === side && !hasLeft(w) && ATTACKED[w.piece * 64 + w.home]!.includes(square));
}

function hasLeft(walker: Walker): boolean {
  return walker.mayBeTaken || walker.squares.length > 1;
}

/** Whether the occupant's present square may ever be empty for the walker. */
function mayLeave(occupant: Walker | undefined, walker: Walker): boolean {
  if (occupant === undefined || occupant.mayBeTaken) return true;
  return occupant.squares.length > 1 && !isFacing(occupant, walker);
}

/** Two pawns that meet on a file which neither leaves: none passes the other's first square. */
function isFacing(a: Walker, b: Walker): boolean {
  const arePawns = kindOf(a.piece) === PAWN && kindOf(b.piece) === PAWN && a.side !== b.side;
  return arePawns && [...a.squares, ...b.squares].every((square) => (square & 7) === (a.home & 7));
}

/** Marks what the side may take. True: that is more than before. */
function capture(reach: Reach, side: Side): boolean {
  const enemy = otherSide(side);
  const targets = toAttackedBy(
    reach,
    side,
    (walker, square) => kindOf(walker.piece) !== KING || !isGuarded(reach, enemy, square),
  );
  const taken = reach.walkers.filter(
    (w) =>
      w.side === enemy &&
      kindOf(w.piece) !== KING &&
      !w.mayBeTaken &&
      w.squares.some((square) => targets[square] === 1),
  );
  for (const walker of taken) walker.mayBeTaken = true;
  return taken.length > 0;
}

/** 1 for each square that the pieces of the side may ever attack. */
function toAttackedBy(reach: Reach, side: Side, isIncluded: (walker: Walker, square: Square) => boolean): Uint8Array {
  const attacked = new Uint8Array(64);
  for (const walker of reach.walkers) {
    if (walker.side !== side) continue;
    for (const from of walker.squares) {
      for (const to of ATTACKED[walker.piece * 64 + from]!) {
        if (attacked[to] === 0 && isIncluded(walker, to)) attacked[to] = 1;
      }
    }
  }
  return attacked;
}

/** Whether the king may be in check on a square where each way out is attacked or blocked. */
function hasMate(reach: Reach, side: Side, king: Walker): boolean {
  const checked = toAttackedBy(reach, side, (walker) => kindOf(walker.piece) !== KING);
  const covered = toAttackedBy(reach, side, () => true);
  const blockers = reach.walkers.filter((walker) => walker.side === king.side && walker !== king);
  return king.squares.some((square) => {
    if (checked[square] === 0) return false;
    const open = KING_TARGETS[square]!.filter((to) => covered[to] === 0);
    // Each open way out needs a blocker of its own.
    const isBlocked = open.every((to) => blockers.some((blocker) => blocker.isReached[to] === 1));
    return isBlocked && blockers.filter((b) => open.some((to) => b.isReached[to] === 1)).length >= open.length;
  });
}

function toAttacked(piece: number, from: Square): readonly Square[] {
  const kind = kindOf(piece);
  if (kind === KING) return KING_TARGETS[from]!;
  if (kind === KNIGHT) return KNIGHT_TARGETS[from]!;
  const directions = Array.from({ length: DIRECTIONS }, (_, direction) => direction).filter(
    (direction) => REACH[from * DIRECTIONS + direction]! > 0,
  );
  const side = (piece & BLACK) === WHITE ? WHITE : BLACK;
  return directions
    .filter((direction) => {
      const isDiagonal = direction >= FIRST_DIAGONAL;
      if (kind === PAWN) return isDiagonal && STEPS[direction]! * pawnStep(side) > 0;
      return kind === ROOK ? !isDiagonal : kind === BISHOP ? isDiagonal : true;
    })
    .map((direction) => from + STEPS[direction]!);
}
