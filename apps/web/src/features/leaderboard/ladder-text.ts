import type { LadderView } from "@holo/protocol/accounts/players.ts";
import { RANKED_GAMES_MIN } from "@holo/table/rating.ts";

/** The viewer's place: what is missing to the next one, or to a place at all. */
export function formatOwn(own: LadderView["own"], unit: string): string {
  const missing = RANKED_GAMES_MIN - (own?.games ?? 0);
  if (own === null) return `You have no place here yet: it takes ${RANKED_GAMES_MIN} rated games.`;
  if (own.rank === null) return `${missing} more rated ${missing === 1 ? "game" : "games"} to get a place.`;
  if (own.toNext === null) return "You are at the top.";
  return `${own.toNext} ${unit}${own.toNext === 1 ? "" : "s"} to the next place.`;
}
