import { isAttacked } from "@holo/chess/attack.ts";
import {
  BISHOP,
  EMPTY,
  isLastRow,
  isOwn,
  KING,
  KNIGHT,
  kindOf,
  otherSide,
  PAWN,
  pawnStep,
  QUEEN,
  ROOK,
  WHITE,
} from "@holo/chess/board.ts";
import type { ChessPosition } from "@holo/chess/chess.ts";
import { DIRECTIONS, FIRST_DIAGONAL, KING_TARGETS, KNIGHT_TARGETS, REACH, STEPS } from "@holo/chess/geometry.ts";
import { isInsufficientMaterial } from "@holo/chess/material.ts";
import { packMove } from "@holo/chess/moves.ts";
import { BLACK_LONG, BLACK_SHORT, WHITE_LONG, WHITE_SHORT } from "@holo/chess/position.ts";
import type { Square } from "@holo/rules/rules.ts";
import { type GameTree, MOVES_MAX } from "../game-tree.ts";
import { ChessBoard } from "./chess-board.ts";
import { exchange } from "./exchange.ts";
import { Judgements } from "./judgements.ts";
import { EXCHANGE_VALUES } from "./piece-values.ts";

const FIFTY_MOVES = 100;
const PROMOTION_KINDS = [QUEEN, KNIGHT, ROOK, BISHOP] as const;

export class ChessTree implements GameTree<ChessPosition> {
  readonly moves = new Int32Array(MOVES_MAX);
  readonly urgency = new Int32Array(MOVES_MAX);
  readonly historyMask = 0xfff;
  readonly #board = new ChessBoard();
  readonly #judgements = new Judgements();
  /** The moves that were played, and whether each answered a check. */
  readonly #played: number[] = [];
  #isCheck = false;
  #end = 0;
  #isUrgentOnly = false;

  setRoot(position: ChessPosition): void {
    this.#board.set(position);
    this.#played.length = 0;
    this.#isCheck = this.#board.isCheck();
  }

  get key(): number {
    return this.#board.key;
  }

  get proof(): number {
    return this.#board.proof;
  }

  get turn(): 0 | 1 {
    return this.#board.turn === WHITE ? 0 : 1;
  }

  get maySkip(): boolean {
    return this.#board.hasPieces(this.#board.turn);
  }

  generate(start: number): number {
    return this.#generate(start, false);
  }

  generateUrgent(start: number): number {
    return this.#generate(start, !this.#isCheck);
  }

  #generate(start: number, isUrgentOnly: boolean): number {
    const { squares, turn } = this.#board;
    this.#end = start;
    this.#isUrgentOnly = isUrgentOnly;
    for (let square = 0; square < 64; square += 1) {
      const piece = squares[square]!;
      if (!isOwn(piece, turn)) continue;
      const kind = kindOf(piece);
      if (kind === PAWN) this.#addPawnMoves(square);
      else if (kind === KNIGHT) this.#addSteps(square, kind, KNIGHT_TARGETS[square]!);
      else if (kind !== KING) this.#addRides(square, kind);
      else {
        this.#addSteps(square, kind, KING_TARGETS[square]!);
        if (!isUrgentOnly && !this.#isCheck && this.#board.castling !== 0) this.#addCastling(square);
      }
    }
    return this.#end;
  }

  #addSteps(from: Square, kind: number, targets: readonly Square[]): void {
    for (let at = 0; at < targets.length; at += 1) {
      if (!this.#board.isOwn(targets[at]!)) this.#add(from, targets[at]!, kind);
    }
  }

  #addRides(from: Square, kind: number): void {
    const { squares } = this.#board;
    const last = kind === ROOK ? FIRST_DIAGONAL : DIRECTIONS;
    for (let direction = kind === BISHOP ? FIRST_DIAGONAL : 0; direction < last; direction += 1) {
      const step = STEPS[direction]!;
      const reach = REACH[from * DIRECTIONS + direction]!;
      let to = from;
      for (let distance = 1; distance <= reach; distance += 1) {
        to += step;
        if (squares[to] === EMPTY) {
          if (!this.#isUrgentOnly) this.#push(packMove(from, to, 0), 0);
          continue;
        }
        if (!this.#board.isOwn(to)) this.#add(from, to, kind);
        break;
      }
    }
  }

  #addPawnMoves(from: Square): void {
    const { squares, turn, enPassant } = this.#board;
    const step = pawnStep(turn);
    const ahead = from + step;
    if (squares[ahead] === EMPTY) {
      this.#addPawnMove(from, ahead);
      const isAtHome = from >> 3 === (turn === WHITE ? 6 : 1);
      if (isAtHome && squares[ahead + step] === EMPTY) this.#addPawnMove(from, ahead + step);
    }
    for (let to = ahead - 1; to <= ahead + 1; to += 2) {
      if (to >> 3 !== ahead >> 3) continue;
      if (isOwn(squares[to]!, otherSide(turn))) this.#addPawnMove(from, to);
      else if (to === enPassant) this.#push(packMove(from, to, 0), captureUrgency(PAWN, PAWN));
    }
  }

  #addPawnMove(from: Square, to: Square): void {
    if (!isLastRow(to)) {
      this.#add(from, to, PAWN);
      return;
    }
    const gained = EXCHANGE_VALUES[kindOf(this.#board.squares[to]!)]!;
    // Only a knight does what a queen cannot, and a lesser piece only to avoid stalemate.
    for (const kind of PROMOTION_KINDS) {
      if (kind === QUEEN) this.#push(packMove(from, to, kind), 10 * (EXCHANGE_VALUES[QUEEN]! + gained));
      else if (!this.#isUrgentOnly) this.#push(packMove(from, to, kind), kind === KNIGHT ? 1 : -1);
    }
  }

  #addCastling(king: Square): void {
    const { squares, turn, castling } = this.#board;
    const enemy = otherSide(turn);
    const isFree = (step: number) => {
      const [first, second] = [king + step, king + 2 * step];
      return squares[first] === EMPTY && squares[second] === EMPTY && !isAttacked(squares, first, enemy);
    };
    if ((castling & (turn === WHITE ? WHITE_SHORT : BLACK_SHORT)) !== 0 && isFree(1)) {
      this.#push(packMove(king, king + 2, 0), 0);
    }
    if ((castling & (turn === WHITE ? WHITE_LONG : BLACK_LONG)) !== 0 && squares[king - 3] === EMPTY && isFree(-1)) {
      this.#push(packMove(king, king - 2, 0), 0);
    }
  }

  #add(from: Square, to: Square, kind: number): void {
    const taken = kindOf(this.#board.squares[to]!);
    if (taken === EMPTY) {
      if (!this.#isUrgentOnly) this.#push(packMove(from, to, 0), 0);
      return;
    }
    if (EXCHANGE_VALUES[kind]! > EXCHANGE_VALUES[taken]! && kind !== KING) {
      const gained = exchange(this.#board.squares, from, to, this.#board.turn);
      if (gained < 0) {
        if (!this.#isUrgentOnly) this.#push(packMove(from, to, 0), gained);
        return;
      }
    }
    this.#push(packMove(from, to, 0), captureUrgency(kind, taken));
  }

  #push(move: number, urgency: number): void {
    this.moves[this.#end] = move;
    this.urgency[this.#end] = urgency;
    this.#end += 1;
  }

  swap(a: number, b: number): void {
    const { moves, urgency } = this;
    const move = moves[a]!;
    moves[a] = moves[b]!;
    moves[b] = move;
    const kept = urgency[a]!;
    urgency[a] = urgency[b]!;
    urgency[b] = kept;
  }

  make(at: number): boolean {
    const move = this.moves[at]!;
    if (!this.#board.make(move, this.#isCheck)) return false;
    this.#played.push(move, this.#isCheck ? 1 : 0);
    this.#isCheck = this.#board.isCheck();
    return true;
  }

  unmake(): void {
    this.#isCheck = this.#played.pop() === 1;
    this.#board.unmake(this.#played.pop()!);
  }

  /** Only without check. */
  skip(): void {
    this.#board.skip();
  }

  unskip(): void {
    this.#board.unskip();
  }

  isPressed(): boolean {
    return this.#isCheck;
  }

  isLostWithoutMove(): boolean {
    return this.#isCheck;
  }

  isDraw(ply: number): boolean {
    const board = this.#board;
    if (board.halfMoves >= FIFTY_MOVES) return !this.#isCheck || this.#hasMove();
    // Only a capture leaves too little.
    return board.isRepeated(ply) || (board.halfMoves === 0 && isInsufficientMaterial(board.squares));
  }

  /** Asked once in fifty moves: after the lists of all plies is room for one more. */
  #hasMove(): boolean {
    const start = MOVES_MAX / 2;
    const end = this.#generate(start, false);
    for (let at = start; at < end; at += 1) {
      if (!this.make(at)) continue;
      this.unmake();
      return true;
    }
    return false;
  }

  evaluate(): number {
    return this.#judgements.recall(this.#board);
  }
}

/** The dearest victim first, then the cheapest attacker. */
function captureUrgency(kind: number, taken: number): number {
  return 10 * EXCHANGE_VALUES[taken]! + KING - kind;
}
