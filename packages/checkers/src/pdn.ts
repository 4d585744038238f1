import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { checkers } from "./checkers.ts";

/** Russian draughts: white first, 8x8, squares by letters and digits from the bottom left. */
const GAME_TYPE = "25,W,8,8,A0,0";

/** PDN export: what checkers adds to the writer that both games share. */
export const pdn = toNotation({
  rules: checkers,
  ownTags: new Map([["GameType", GAME_TYPE]]),
  firstNumber: () => 1,
  clockStep: "second",
});
