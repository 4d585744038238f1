import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { chess } from "./chess.ts";

export const pgn = toNotation({
  rules: chess,
  ownTags: new Map(),
  firstNumber: (start) => start.fullMoves,
  clockStep: "tenth",
});
