/** One side of a game, judged move by move. Moves that were taken back do not count. */
export interface MoveFigures {
  readonly moves: number;
  /** Moves with more than one legal choice. */
  readonly choices: number;
  /** Moves that lost at least a quarter of the expected score. */
  readonly errors: number;
  /** The expected score that all moves lost together. */
  readonly lost: number;
  /** Choices that equal the engine's. */
  readonly firstChoices: number;
  /** Choices in which the engine's move clearly beats all others, and not trivially. */
  readonly realChoices: number;
  /** Real choices that equal the engine's; what its equals make on average, and its variance. */
  readonly realFirst: number;
  readonly expectedFirst: number;
  readonly varianceFirst: number;
  /** Think times of choices, without network time, in order. */
  readonly freeMs: readonly number[];
  readonly medianMs: number;
  /** The middle half of the think times spans this. */
  readonly spreadMs: number;
}

/** Both by ply. Scores are white's, in hundredths, before the first move and after each. */
export interface GameEvaluation {
  readonly scores: readonly number[];
  readonly thinkMs: readonly number[];
}
