import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { chess } from "./chess.ts";

/** PGN export: what chess adds to the writer that both games share. */
export const pgn = toNotation({
  rules: chess,
  ownTags: new Map(),
  firstNumber: (start) => start.fullMoves,
  clockStep: "tenth",
});
