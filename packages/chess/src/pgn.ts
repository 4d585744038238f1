import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { chess } from "./chess.ts";

/** The export format of the PGN standard. */
export const pgn = toNotation({
  rules: chess,
  ownTags: new Map(),
  firstNumber: (start) => start.fullMoves,
  clockStep: "tenth",
});
