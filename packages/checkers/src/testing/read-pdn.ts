import type { GameResult } from "@holo/rules/pgn-pdn.ts";
import { toReader } from "@holo/rules/testing/notation-reader.ts";
import { checkers } from "../checkers.ts";

/** The results of PDN, also as two points a game, as some servers write them. */
const RESULTS: ReadonlyMap<string, GameResult> = new Map([
  ["1-0", "1-0"],
  ["2-0", "1-0"],
  ["0-1", "0-1"],
  ["0-2", "0-1"],
  ["1/2-1/2", "1/2-1/2"],
  ["1/2", "1/2-1/2"],
  ["½-½", "1/2-1/2"],
  ["½", "1/2-1/2"],
  ["1-1", "1/2-1/2"],
  ["*", "*"],
  // A loss for both has no result here.
  ["0-0", "*"],
]);

/**
 * Reads PDN 3.0 as other programs write it. Square numbers count from b8 whatever the GameType tag
 * says: such programs do not adapt it.
 */
export const readPdn = toReader({
  rules: checkers,
  results: RESULTS,
  isOwn: (tags) => /^\s*25\s*(,|$)/.test(tags.get("GameType") || "25"),
});
