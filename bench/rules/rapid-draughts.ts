import * as library from "rapid-draughts/english";

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

export function startEnglishDraughts(): DraughtsEngine {
  return (library as unknown as Library).EnglishDraughts.setup().engine;
}
