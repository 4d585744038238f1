/** A game as the search walks it: one mutable position, its moves in one shared list. */
export interface GameTree<Position> {
  /**
   * Generated moves, those of a ply after those of the ply before. A move is a whole number whose
   * lowest bits, `historyMask`, are its from and to.
   */
  readonly moves: Int32Array;
  /** By move: above 0 for captures and promotions, higher is tried first; 0 for quiet moves. */
  readonly urgency: Int32Array;
  readonly historyMask: number;
  /** Whether passing shows that a position is good. False where a duty to move may lose. */
  readonly maySkip: boolean;
  /** Two hashes of the position: where it is kept, and what proves it. */
  readonly key: number;
  readonly proof: number;
  readonly turn: 0 | 1;

  setRoot(position: Position): void;
  /** Writes moves from `start` on, returns the end. Some may be illegal: `make` finds out. */
  generate(start: number): number;
  /** Only moves that change the material; every move if the side to move `isPressed`. */
  generateUrgent(start: number): number;
  /** Exchanges two moves of the list. */
  swap(a: number, b: number): void;
  /** Plays the move at an index of the list. False, and nothing done, if it is illegal. */
  make(at: number): boolean;
  unmake(): void;
  /** Passes. */
  skip(): void;
  unskip(): void;
  /** In check, or bound to capture: the position cannot be judged as it is. */
  isPressed(): boolean;
  /** Whether a side without a legal move has lost. Else it is a draw. */
  isLostWithoutMove(): boolean;
  /** A draw by the rules, or a repetition of a position up to `ply` plies ago. */
  isDraw(ply: number): boolean;
  /** In hundredths, for the side to move. */
  evaluate(): number;
}

/** Room for the moves of every ply of a search. */
export const MOVES_MAX = 1 << 15;
