import type { GameResult } from "@holo/rules/notation.ts";
import { toNotation } from "@holo/rules/notation-format.ts";
import { chess } from "./chess.ts";

const RESULTS: ReadonlyMap<string, GameResult> = new Map([
  ["1-0", "1-0"],
  ["0-1", "0-1"],
  ["1/2-1/2", "1/2-1/2"],
  ["1/2", "1/2-1/2"],
  ["½-½", "1/2-1/2"],
  ["½", "1/2-1/2"],
  ["*", "*"],
]);

/** PGN: written in the standard's export format, read in the forms that other programs use. */
export const pgn = toNotation({
  rules: chess,
  results: RESULTS,
  ownTags: new Map(),
  isOwn: () => true,
  firstNumber: (start) => start.fullMoves,
  clockStep: "tenth",
});
