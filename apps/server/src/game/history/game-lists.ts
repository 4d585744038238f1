import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerStatsView, WinRatePointView } from "@holo/protocol/accounts/players.ts";
import type { ListedStatus, LobbyFilter, MatchView } from "@holo/protocol/game/games.ts";
import { findGames, findLimits, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import type { InvitationView } from "@holo/protocol/match/invitations.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { STATUSES as STATUSES_ALL, type Status } from "@holo/table/state.ts";
import { findNeverPaired } from "../../accounts/accounts.ts";
import type { Lobby } from "../../lobby/lobby.ts";
import { toMatchView } from "../../lobby/match-view.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadNewestPlayed, loadOutcomes, loadWinRates } from "../../players/player-stats.ts";
import { type GameRow, isHiddenFrom, loadGame } from "../log/game-store.ts";
import type { LoadPlayers } from "../table/table-content.ts";
import { type GameCounts, listTerms, loadCounts, loadGames } from "./game-queries.ts";

/** The number of games in a profile. */
const OWN_MATCHES_MAX = 100;
const RECENT_MAX = 10;

interface MatchesOrder {
  readonly viewer: PlayerId | null;
  /** The viewer's own games only, with cancelled ones (ruling 11). */
  readonly isMine: boolean;
  readonly filter: LobbyFilter;
  readonly count: number;
}

export interface GameLists {
  loadMatches(order: MatchesOrder): Promise<MatchList>;
  /** The newest listed matches, including hidden waiting ones. */
  loadListed(filter: LobbyFilter, count: number): Promise<readonly MatchView[]>;
  /** Null without such a game, or for a waiting game that the viewer may not see (ruling 22). */
  loadMatch(gameId: GameId, viewer: PlayerId | null): Promise<MatchView | null>;
  loadInvitation(gameId: GameId): Promise<InvitationView | null>;
  loadOwnMatches(playerId: PlayerId): Promise<readonly MatchView[]>;
  /** A player's games, newest first. `before` (ms since 1970) selects games created earlier. */
  loadGamesOf(playerId: PlayerId, before: number | null, limit: number): Promise<readonly MatchView[]>;
  loadCounts(playerId: PlayerId): Promise<GameCounts>;
  loadPlayerStats(playerId: PlayerId): Promise<Pick<PlayerStatsView, "games" | "aborts" | "recent">>;
  loadWinRates(playerId: PlayerId, points: number): Promise<readonly WinRatePointView[]>;
}

interface GameListsDeps {
  readonly queries: Queries;
  readonly lobby: Lobby;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

const STATUSES: Readonly<Record<ListedStatus, readonly Status[]>> = {
  pending: ["waiting"],
  active: ["active"],
  completed: ["completed", "timeout"],
};

export function openGameLists({ queries, lobby, loadPlayers, searchPlayers }: GameListsDeps): GameLists {
  async function loadViews(rows: readonly GameRow[]): Promise<readonly MatchView[]> {
    const ids = new Set<PlayerId>();
    for (const row of rows) {
      ids.add(row.player1_id);
      if (row.player2_id !== null) ids.add(row.player2_id);
    }
    const players = await loadPlayers([...ids]);
    return rows.map((row) => toMatchView(row, players));
  }

  async function loadGamesOf(playerId: PlayerId, before: number | null, limit: number): Promise<readonly MatchView[]> {
    const any = { statuses: STATUSES_ALL, terms: listTerms(), search: null, hiddenCreators: [] };
    return await loadViews(await loadGames(queries, { playerId, viewer: playerId, ...any, before, limit }));
  }

  /** `playerId` loads the games of this player alone. */
  async function load(
    filter: LobbyFilter,
    limit: number,
    playerId: PlayerId | null,
    hiddenCreators: readonly PlayerId[],
    isVisible: (status: Status) => boolean = () => true,
  ): Promise<readonly MatchView[]> {
    const { search: text } = filter;
    const search =
      text === "" ? null : { games: findGames(text), limits: findLimits(text), playerIds: await searchPlayers(text) };
    const statuses = toStatuses(filter.status, playerId !== null).filter(isVisible);
    const terms = toTermsFilter(filter);
    const order = { playerId, viewer: playerId, statuses, terms, search, hiddenCreators, before: null, limit };
    return await loadViews(await loadGames(queries, order));
  }

  return {
    async loadMatches({ viewer, isMine, filter, count }) {
      if (isMine) return toList(viewer === null ? [] : await load(filter, count + 1, viewer, []), count);
      if (viewer === null) return toList(await load(filter, count + 1, null, [], isShownToVisitors), count);
      // Pending games that the viewer cannot join are not listed (rulings 15, 22 and 23).
      const hidden = new Set([...lobby.hiddenCreators(), ...(await findNeverPaired(queries, viewer))]);
      hidden.delete(viewer);
      return toList(await load(filter, count + 1, null, [...hidden]), count);
    },
    loadListed: (filter, count) => load(filter, count, null, []),
    async loadMatch(gameId, viewer) {
      const row = await loadGame(queries, gameId);
      if (row === null || (row.status === "waiting" && viewer === null) || isHiddenFrom(viewer, row)) return null;
      const [view] = await loadViews([row]);
      return view ?? null;
    },
    async loadInvitation(gameId) {
      const row = await loadGame(queries, gameId);
      if (row === null || row.pairing !== "invitation") return null;
      const [match] = await loadViews([row]);
      return match === undefined ? null : { match, isCreatorHere: lobby.isVisible(row.player1_id) };
    },
    loadOwnMatches: (playerId) => loadGamesOf(playerId, null, OWN_MATCHES_MAX),
    loadGamesOf,
    loadCounts: (playerId) => loadCounts(queries, playerId),
    loadWinRates: (playerId, points) => loadWinRates(queries, playerId, points),
    async loadPlayerStats(playerId) {
      const [outcomes, newest] = await Promise.all([
        loadOutcomes(queries, playerId),
        loadNewestPlayed(queries, playerId, RECENT_MAX),
      ]);
      return { ...outcomes, recent: await loadViews(newest) };
    },
  };
}

/** Cancelled games are listed among a player's own games only. */
function toStatuses(status: ListedStatus | null, isMine: boolean): readonly Status[] {
  if (status !== null) return STATUSES[status];
  const listed = Object.values(STATUSES).flat();
  return isMine ? [...listed, "cancelled"] : listed;
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
