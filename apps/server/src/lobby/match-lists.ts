import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { ListedStatus, LobbyFilter, MatchView } from "@holo/protocol/game/games.ts";
import { compareMatches, findGames, findLimits, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import type { Status } from "@holo/table/state.ts";
import { findNeverPaired, type NeverPaired } from "../accounts/accounts.ts";
import { type GameRow, type LoadPlayers, loadListedGames, loadMatchViews } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Time } from "../platform/time/time.ts";
import type { ListedMatches } from "./listed-matches.ts";

interface MatchesOrder {
  readonly viewer: PlayerId | null;
  /** The viewer's own games only, with cancelled ones (ruling 11). */
  readonly isMine: boolean;
  readonly filter: LobbyFilter;
  readonly count: number;
}

export interface MatchLists {
  loadMatches(order: MatchesOrder): Promise<MatchList>;
  /** The first listed matches, including hidden waiting ones. */
  loadListed(filter: LobbyFilter, count: number): Promise<readonly MatchView[]>;
}

interface MatchListsDeps {
  readonly queries: Queries;
  readonly time: Time;
  readonly listed: Pick<ListedMatches, "hiddenCreators">;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

const NO_PLAYERS: NeverPaired = new Map();

const STATUSES: Readonly<Record<ListedStatus, readonly Status[]>> = {
  pending: ["waiting"],
  active: ["active"],
  completed: ["completed", "timeout"],
};

export function openMatchLists({ queries, time, listed, loadPlayers, searchPlayers }: MatchListsDeps): MatchLists {
  /** `playerId` loads the games of this player alone. */
  async function load(
    filter: LobbyFilter,
    limit: number,
    playerId: PlayerId | null,
    hiddenCreators: NeverPaired,
    isVisible: (status: Status) => boolean = () => true,
  ): Promise<readonly MatchView[]> {
    const { search: text } = filter;
    const search =
      text === "" ? null : { games: findGames(text), limits: findLimits(text), playerIds: await searchPlayers(text) };
    const terms = toTermsFilter(filter);
    const order = { playerId, viewer: playerId, terms, search, hiddenCreators, before: null };
    // A game whose status changes meanwhile is found again in a later group: that one counts.
    const found = new Map<GameId, GameRow>();
    for (const group of toGroups(filter.status, playerId !== null)) {
      const statuses = group.filter(isVisible);
      if (statuses.length === 0 || found.size >= limit) continue;
      const rows = await loadListedGames(queries, { ...order, statuses, limit });
      for (const row of rows) found.set(row.id, row);
    }
    return (await loadMatchViews([...found.values()], loadPlayers)).toSorted(compareMatches).slice(0, limit);
  }

  return {
    async loadMatches({ viewer, isMine, filter, count }) {
      if (isMine) return toList(viewer === null ? [] : await load(filter, count + 1, viewer, NO_PLAYERS), count);
      if (viewer === null) return toList(await load(filter, count + 1, null, NO_PLAYERS, isShownToVisitors), count);
      // Pending games that the viewer cannot join are not listed (rulings 15, 22 and 23).
      const hidden = new Map(await findNeverPaired(queries, viewer, time.now()));
      for (const creatorId of listed.hiddenCreators()) hidden.set(creatorId, "in_any_game");
      hidden.delete(viewer);
      return toList(await load(filter, count + 1, null, hidden), count);
    },
    loadListed: (filter, count) => load(filter, count, null, NO_PLAYERS),
  };
}

/**
 * In the order of a list (`compareMatches`). Cancelled games are listed among a player's own games
 * only.
 */
function toGroups(status: ListedStatus | null, isMine: boolean): readonly (readonly Status[])[] {
  if (status !== null) return [STATUSES[status]];
  const { pending, active, completed } = STATUSES;
  return [pending, active, isMine ? [...completed, "cancelled"] : completed];
}

function toTermsFilter({ game, stakeMin, stakeMax, limitMinutes }: LobbyFilter) {
  return {
    games: game === null ? listGameTypes() : [game],
    stakes: STAKES.filter((stake) => stake >= stakeMin && stake <= stakeMax),
    limits: limitMinutes === null ? LIMIT_MINUTES : [limitMinutes],
  };
}

function isShownToVisitors(status: Status): boolean {
  return status !== "waiting";
}

function toList(matches: readonly MatchView[], count: number): MatchList {
  return { matches: matches.slice(0, count), hasMore: matches.length > count };
}
