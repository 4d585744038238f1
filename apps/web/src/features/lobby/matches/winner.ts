import type { MatchView } from "@holo/protocol/games.ts";

/** The winner's username, null for a draw or an unfinished game. */
export function toWinnerName({ winner, white, black }: MatchView): string | null {
  if (winner === null) return null;
  return winner === 1 ? white.username : (black?.username ?? null);
}
