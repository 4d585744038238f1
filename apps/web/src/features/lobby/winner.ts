import type { MatchView } from "@holo/protocol/views.ts";

/** The winner's username, null after a draw and while there is none. */
export function toWinnerName({ winner, white, black }: MatchView): string | null {
  if (winner === null) return null;
  return winner === 1 ? white.username : (black?.username ?? null);
}
