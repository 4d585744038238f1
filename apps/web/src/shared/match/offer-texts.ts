import { GAMES } from "@holo/rules/registry.ts";
import { LIMIT_MINUTES, listPaidStakes } from "@holo/table/stakes.ts";

const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });
const AND = new Intl.ListFormat("en-GB");

/** "1, 2, 5 or 10 HC" */
export function formatStakes(): string {
  return `${OR.format(listPaidStakes().map(String))} HC`;
}

/** "5 or 10 minutes" */
export function formatLimits(): string {
  return `${OR.format(LIMIT_MINUTES.map(String))} minutes`;
}

/** "checkers and chess" */
export function formatGames(): string {
  return AND.format(GAMES.map(({ name }) => name.toLowerCase()));
}

/** "Checkers has 12 pieces, chess 16" */
export function formatPieceCounts(): string {
  return GAMES.map(({ name, pieceCount }, index) =>
    index === 0 ? `${name} has ${pieceCount} pieces` : `${name.toLowerCase()} ${pieceCount}`,
  ).join(", ");
}
