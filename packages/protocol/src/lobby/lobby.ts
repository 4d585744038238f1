import type { GameId } from "@holo/kernel/ids.ts";
import { GAMES } from "@holo/rules/registry.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES, type LimitMinutes, STAKES } from "@holo/table/stakes.ts";
import type { LobbyFilter, MatchStatus, MatchView } from "../game/games.ts";
import type { LobbyChangesFrame } from "../socket/server-frames.ts";

export const EVERY_MATCH: LobbyFilter = {
  status: null,
  game: null,
  get stakeMin() {
    return STAKES[0];
  },
  get stakeMax() {
    return STAKES.at(-1)!;
  },
  limitMinutes: null,
  search: "",
};

export interface MatchList {
  readonly matches: readonly MatchView[];
  readonly hasMore: boolean;
}

export function toSearch(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether a list with this filter shows a match; cancelled matches are in no list (ruling 11). */
export function isListed(match: MatchView, filter: LobbyFilter): boolean {
  return (
    match.status !== "cancelled" &&
    (filter.status === null || filter.status === match.status) &&
    (filter.game === null || filter.game === match.game) &&
    match.stake >= filter.stakeMin &&
    match.stake <= filter.stakeMax &&
    (filter.limitMinutes === null || filter.limitMinutes === match.limitMinutes) &&
    isFound(match, filter.search)
  );
}

/** Case-insensitive match against usernames, game mode and time limit (specification 5). */
function isFound({ white, black, game, limitMinutes }: MatchView, search: string): boolean {
  if (search === "") return true;
  const names = [white.username.toLowerCase(), black?.username.toLowerCase() ?? ""];
  return (
    names.some((name) => name.includes(search)) ||
    findGames(search).includes(game) ||
    findLimits(search).includes(limitMinutes)
  );
}

export function findGames(search: string): readonly GameType[] {
  return GAMES.filter(({ name }) => name.toLowerCase().includes(search)).map(({ id }) => id);
}

export function findLimits(search: string): readonly LimitMinutes[] {
  return LIMIT_MINUTES.filter((limit) => `${limit} minutes`.includes(search) || `${limit}min`.includes(search));
}

const PLACES: Readonly<Record<MatchStatus, number>> = { pending: 0, active: 1, completed: 2, cancelled: 2 };

/**
 * Open matches first, then live ones, then those that are over. In each group the newest first; of
 * the same moment by id, so that the order is stable.
 */
export function compareMatches(a: MatchView, b: MatchView): number {
  if (PLACES[a.status] !== PLACES[b.status]) return PLACES[a.status] - PLACES[b.status];
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

export function evolveLobby({ matches, hasMore }: MatchList, changes: LobbyChangesFrame, count: number): MatchList {
  const added = changes.added ?? [];
  const removed = new Set<GameId>([...(changes.gone ?? []), ...added.map(({ id }) => id)]);
  const values = new Map(changes.changed?.map((change) => [change.id, change]));
  const kept = matches
    .filter(({ id }) => !removed.has(id))
    .map((match) => (values.has(match.id) ? { ...match, ...values.get(match.id) } : match));
  return {
    matches: [...added, ...kept].sort(compareMatches).slice(0, count),
    hasMore: changes.hasMore ?? hasMore,
  };
}
