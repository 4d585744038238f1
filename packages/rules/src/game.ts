import type { BySeat } from "./by-seat.ts";
import type { GameRules, GameType, PieceKind } from "./rules.ts";

/** What the arena knows of a game. Its rules are loaded, so that a page has those it plays. */
export interface Game {
  /** Stored and sent; never changed. */
  readonly id: GameType;
  readonly name: string;
  /** Pieces per player at the start: the stake is paid for each. */
  readonly pieceCount: number;
  /** The letters of both players' pieces in the picture of a board (`MatchView`). */
  readonly pieces: Readonly<Record<PieceKind, BySeat<string>>>;
  /** Discs carry the stake and are counted when captured; figures have shapes and values. */
  readonly look: "discs" | "figures";
  /** A finished game as a file. */
  readonly file: { readonly name: string; readonly ending: string; readonly type: string };
  /** Moves as a player may type them. */
  readonly moveExamples: string;
  /** One or two sentences for the About page. */
  readonly about: string;
  /** One or two sentences for the Terms: when the rules end a game as a draw. */
  readonly draws: string;
  loadRules(): Promise<GameRules<unknown>>;
}
