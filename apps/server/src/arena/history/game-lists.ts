import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/games.ts";
import type { InvitationView } from "@holo/protocol/invitations.ts";
import type { PlayerStatsView, WinRatePointView } from "@holo/protocol/players.ts";
import { GAME_TYPES } from "@holo/rules/rules.ts";
import { LIMIT_MINUTES } from "@holo/table/stakes.ts";
import { STATUSES as STATUSES_ALL, type Status } from "@holo/table/state.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Lobby } from "../lobby/lobby.ts";
import { toMatchView } from "../lobby/match-view.ts";
import { type GameRow, isHiddenFrom, loadGame } from "../log/game-store.ts";
import type { LoadPlayers } from "../table/table-content.ts";
import { type GameCounts, loadCounts, loadGames } from "./game-queries.ts";
import { loadNewestPlayed, loadOutcomes, loadWinRates } from "./player-stats.ts";

/** Specification 9. */
const MATCHES_MAX = 30;
/** A profile shows at most so many games. */
const OWN_MATCHES_MAX = 100;
const RECENT_MAX = 10;

interface MatchesOrder {
  readonly viewer: PlayerId | null;
  /** The viewer's own games only. */
  readonly isMine: boolean;
  readonly status: "pending" | "active" | "completed" | null;
  readonly search: string;
}

export interface GameLists {
  loadMatches(order: MatchesOrder): Promise<readonly MatchView[]>;
  /** Null without such a game, or for a waiting game that the viewer may not see (ruling 22). */
  loadMatch(gameId: GameId, viewer: PlayerId | null): Promise<MatchView | null>;
  /** The game behind a link that was checked, in any status; null without such a game. */
  loadInvitation(gameId: GameId): Promise<InvitationView | null>;
  loadOwnMatches(playerId: PlayerId): Promise<readonly MatchView[]>;
  /** A player's games, newest first. @param before games created before that (ms since 1970) */
  loadGamesOf(playerId: PlayerId, before: number | null, limit: number): Promise<readonly MatchView[]>;
  loadCounts(playerId: PlayerId): Promise<GameCounts>;
  /** Public statistics of a player; zeros for an unknown player. */
  loadPlayerStats(playerId: PlayerId): Promise<Pick<PlayerStatsView, "games" | "aborts" | "recent">>;
  /** See `loadWinRates`. */
  loadWinRates(playerId: PlayerId, points: number): Promise<readonly WinRatePointView[]>;
}

interface GameListsDeps {
  readonly queries: Queries;
  readonly lobby: Lobby;
  readonly loadPlayers: LoadPlayers;
  /** Players whose name contains the text, ignoring case. */
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

const STATUSES: Readonly<Record<"pending" | "active" | "completed", readonly Status[]>> = {
  pending: ["waiting"],
  active: ["active"],
  completed: ["completed", "timeout"],
};

export function openGameLists({ queries, lobby, loadPlayers, searchPlayers }: GameListsDeps): GameLists {
  async function toViews(rows: readonly GameRow[]): Promise<readonly MatchView[]> {
    const ids = new Set<PlayerId>();
    for (const row of rows) {
      ids.add(row.player1_id);
      if (row.player2_id !== null) ids.add(row.player2_id);
    }
    const players = await loadPlayers([...ids]);
    return rows.map((row) => toMatchView(row, players));
  }

  async function loadGamesOf(playerId: PlayerId, before: number | null, limit: number): Promise<readonly MatchView[]> {
    const any = { game: null, limitSeconds: null, anyOf: null };
    return await toViews(
      await loadGames(queries, { playerId, viewer: playerId, statuses: STATUSES_ALL, ...any, before, limit }),
    );
  }

  /**
   * Visitors see no waiting games; players see those of reachable creators and their own (15, 22).
   */
  function isVisible(row: GameRow, viewer: PlayerId | null): boolean {
    if (row.status !== "waiting") return true;
    if (viewer === null) return false;
    return row.player1_id === viewer || lobby.isVisible(row.player1_id);
  }

  return {
    async loadMatches({ viewer, isMine, status, search }) {
      if (isMine && viewer === null) return [];
      const listed: readonly Status[] = [
        ...(status === null ? Object.values(STATUSES).flat() : STATUSES[status]),
        // Cancelled games appear in the player's own list only (ruling 11).
        ...(isMine && status === null ? (["cancelled"] as const) : []),
      ];
      const text = search.trim().toLowerCase();
      const rows = await loadGames(queries, {
        playerId: isMine ? viewer : null,
        viewer,
        statuses: viewer === null ? listed.filter((one) => one !== "waiting") : listed,
        ...(text === ""
          ? { game: null, limitSeconds: null, anyOf: null }
          : {
              game: GAME_TYPES.find((game) => game.includes(text)) ?? null,
              limitSeconds: toLimitSeconds(text),
              anyOf: await searchPlayers(text),
            }),
        limit: MATCHES_MAX,
      });
      return await toViews(rows.filter((row) => isVisible(row, viewer)));
    },
    async loadMatch(gameId, viewer) {
      const row = await loadGame(queries, gameId);
      if (row === null || (row.status === "waiting" && viewer === null) || isHiddenFrom(viewer, row)) return null;
      const [view] = await toViews([row]);
      return view ?? null;
    },
    async loadInvitation(gameId) {
      const row = await loadGame(queries, gameId);
      if (row === null || row.pairing !== "invitation") return null;
      const [match] = await toViews([row]);
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
      return { ...outcomes, recent: await toViews(newest) };
    },
  };
}

/** A search by time control: `5`, `10`, `5 min`, `10 minutes`. */
function toLimitSeconds(text: string): number | null {
  const minutes = LIMIT_MINUTES.find((limit) => `${limit} minutes`.startsWith(text) || `${limit}min`.startsWith(text));
  return minutes === undefined ? null : minutes * 60;
}
