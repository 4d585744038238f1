import * as library from "rapid-draughts/english";

/** What we use of rapid-draughts; its own types name their files in a way that TypeScript does not follow from a module. */
export interface DraughtsEngine {
  readonly status: "playing" | "draw" | "light_won" | "dark_won";
  readonly moves: readonly DraughtsMove[];
  clone(): DraughtsEngine;
  isValidMove(move: DraughtsMove): boolean;
  move(move: DraughtsMove): void;
}

export interface DraughtsMove {
  readonly origin: number;
  readonly destination: number;
  readonly captures: number;
}

interface Library {
  readonly EnglishDraughts: { setup(): { readonly engine: DraughtsEngine } };
}

/** English draughts at its first position. */
export function startEnglishDraughts(): DraughtsEngine {
  return (library as unknown as Library).EnglishDraughts.setup().engine;
}
