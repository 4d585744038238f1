import type { GameResult } from "@holo/rules/pgn-pdn.ts";
import { toReader } from "@holo/rules/testing/notation-reader.ts";
import { chess } from "../chess.ts";

const RESULTS: ReadonlyMap<string, GameResult> = new Map([
  ["1-0", "1-0"],
  ["0-1", "0-1"],
  ["1/2-1/2", "1/2-1/2"],
  ["1/2", "1/2-1/2"],
  ["½-½", "1/2-1/2"],
  ["½", "1/2-1/2"],
  ["*", "*"],
]);

export const readPgn = toReader({ rules: chess, results: RESULTS, isOwn: () => true });
