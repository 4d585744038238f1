import { toNotation } from "@holo/rules/pgn-pdn.ts";
import { chess } from "./chess.ts";

export const pgn = toNotation(chess);
