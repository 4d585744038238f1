import type { MatchStatus, MatchView } from "@holo/protocol/views.ts";
import { formatGame, seatOf } from "../../ui/match.ts";

/** "" stands for All Statuses. */
export type StatusChoice = Exclude<MatchStatus, "cancelled"> | "";

export interface MatchFilter {
  readonly mine: boolean;
  readonly status: StatusChoice;
  readonly search: string;
}

/** As many as one answer of the server has (specification 9). */
const MATCHES_MAX = 30;

/** Whether a list with this filter shows the match to this viewer; null is a visitor. */
export function isListed(match: MatchView, filter: MatchFilter, viewerId: string | null): boolean {
  if (filter.status !== "" && match.status !== filter.status) return false;
  if (!isFound(match, filter.search)) return false;
  if (filter.mine) return viewerId !== null && seatOf(match, viewerId) !== null;
  // cancelled games appear only among one's own, pending ones only to players (rulings 11 and 22)
  return match.status !== "cancelled" && (match.status !== "pending" || viewerId !== null);
}

/** Case-insensitive against either username, game mode or time control (specification 5). */
function isFound(match: MatchView, search: string): boolean {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return true;
  return [
    match.white.username,
    match.black?.username ?? "",
    formatGame(match.game),
    `${match.limitMinutes} minutes`,
    `${match.limitMinutes}min`,
  ].some((text) => text.toLowerCase().includes(wanted));
}

/** The list with a match that appeared or changed: in its place by age, newest first, or gone where the filter no longer shows it. */
export function putMatch(
  matches: readonly MatchView[],
  match: MatchView,
  filter: MatchFilter,
  viewerId: string | null,
): readonly MatchView[] {
  const others = dropMatch(matches, match.id);
  if (!isListed(match, filter, viewerId)) return others;
  const index = others.findIndex((other) => other.createdAt < match.createdAt);
  return others.toSpliced(index === -1 ? others.length : index, 0, match).slice(0, MATCHES_MAX);
}

export function dropMatch(matches: readonly MatchView[], gameId: string): readonly MatchView[] {
  return matches.filter((match) => match.id !== gameId);
}

/** Whether the list shows the match; one that is still on its way (undefined) might. */
export function mayList(matches: readonly MatchView[] | undefined, gameId: string): boolean {
  return matches?.some((match) => match.id === gameId) ?? true;
}
