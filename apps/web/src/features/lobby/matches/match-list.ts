import type { GameId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { MatchStatus, MatchView } from "@holo/protocol/games.ts";
import { formatGame, seatOf } from "../../../shared/match/match.ts";

/** "" means All Statuses. */
export type StatusChoice = Exclude<MatchStatus, "cancelled"> | "";

export type LobbyPush = Extract<ServerFrame, { readonly type: "match" | "match_gone" }>;

export interface MatchFilter {
  readonly mine: boolean;
  readonly status: StatusChoice;
  readonly search: string;
}

/** The page size of the server (specification 9). */
const MATCHES_MAX = 30;

/** @param viewerId null for a visitor */
export function isListed(match: MatchView, filter: MatchFilter, viewerId: string | null): boolean {
  if (filter.status !== "" && match.status !== filter.status) return false;
  if (!matchesSearch(match, filter.search)) return false;
  if (filter.mine) return viewerId !== null && seatOf(match, viewerId) !== null;
  // rulings 11 and 22: cancelled games only among the own, pending games only for players
  return match.status !== "cancelled" && (match.status !== "pending" || viewerId !== null);
}

/** Case-insensitive match against usernames, game mode and time limit (specification 5). */
function matchesSearch(match: MatchView, search: string): boolean {
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

/** Inserts or replaces a match, newest first. Removes it if the filter no longer shows it. */
export function upsertMatch(
  matches: readonly MatchView[],
  match: MatchView,
  filter: MatchFilter,
  viewerId: string | null,
): readonly MatchView[] {
  const others = removeMatch(matches, match.id);
  if (!isListed(match, filter, viewerId)) return others;
  const index = others.findIndex((other) => other.createdAt < match.createdAt);
  return others.toSpliced(index === -1 ? others.length : index, 0, match).slice(0, MATCHES_MAX);
}

/** Applies a push. The player's own list keeps a match that left the public one. */
export function applyPush(
  matches: readonly MatchView[],
  push: LobbyPush,
  filter: MatchFilter,
  viewerId: string | null,
): readonly MatchView[] {
  if (push.type === "match") return upsertMatch(matches, push.match, filter, viewerId);
  return filter.mine ? matches : removeMatch(matches, push.gameId);
}

function removeMatch(matches: readonly MatchView[], gameId: GameId): readonly MatchView[] {
  return matches.filter((match) => match.id !== gameId);
}

/** True if the list shows the match or is still loading (undefined). */
export function mightList(matches: readonly MatchView[] | undefined, gameId: GameId): boolean {
  return matches?.some((match) => match.id === gameId) ?? true;
}
