import type { GameResult } from "@holo/rules/notation.ts";
import { toNotation } from "@holo/rules/notation-format.ts";
import { checkers } from "./checkers.ts";

/** Russian draughts: white first, 8x8, squares by letters and digits from the bottom left. */
const GAME_TYPE = "25,W,8,8,A0,0";

/** The results of PDN, and those of two points a game with which some servers write them. */
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
  /** A loss for both, which has no result here. */
  ["0-0", "*"],
]);

/**
 * PDN 3.0, read in the forms that other programs use. Numbers of squares count from b8 whatever the GameType tag says of notation:
 * programs that write Russian draughts in numbers leave that part of it as it comes.
 */
export const pdn = toNotation({
  rules: checkers,
  results: RESULTS,
  ownTags: new Map([["GameType", GAME_TYPE]]),
  isOwn: (tags) => /^\s*25\s*(,|$)/.test(tags.get("GameType") || "25"),
  firstNumber: () => 1,
  clockStep: "second",
});
