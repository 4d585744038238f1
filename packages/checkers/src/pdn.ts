import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { checkers } from "./checkers.ts";

export const pdn = toNotation(checkers);
