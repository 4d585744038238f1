import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import { findNeverPairedOf, loadSessionsSeen } from "../accounts/accounts.ts";
import { type GameLists, openGameLists } from "../game/history/game-lists.ts";
import { type GameRow, loadActiveIds, loadWaiting } from "../game/log/game-store.ts";
import type { LoadPlayers } from "../game/table/table-content.ts";
import type { ArenaTopics } from "../game/topics.ts";
import { WaitingGames } from "../match/waiting-games.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import { loadLastSeenAt } from "../platform/servers/server-rows.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { type AvailabilityFeed, openAvailabilityFeed } from "./availability-feed.ts";
import { type LiveStats, openLiveStats } from "./live-stats.ts";
import { type Lobby, openLobby } from "./lobby.ts";
import { LobbyFeed } from "./lobby-feed.ts";
import { toMatchView } from "./match-view.ts";
import { openNeverPairedLoader } from "./never-paired-loader.ts";
import { HIDDEN_AFTER_MS, type OnlinePlayers, openOnlinePlayers } from "./online-players.ts";
import type { PacedDelivery } from "./paced-delivery.ts";

/** The players who are here, the games that wait and are played, and what is sent about them. */
export interface LobbyParts {
  readonly online: OnlinePlayers;
  readonly lobby: Lobby;
  readonly waitingGames: WaitingGames;
  readonly lists: GameLists;
  readonly feed: LobbyFeed;
  readonly availability: AvailabilityFeed;
  readonly stats: LiveStats;
}

interface LobbyPartsDeps {
  readonly database: Database;
  readonly own: OwnServer;
  readonly bus: Bus<ArenaTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly delivery: PacedDelivery;
  readonly feeBps: () => number;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

export async function openLobbyParts(deps: LobbyPartsDeps): Promise<LobbyParts> {
  const { database, bus, own, time, metrics, loadPlayers } = deps;
  const queries = database.kysely;
  const waiting = await loadWaiting(queries);
  const lastSeen = await loadLastSeen(database, waiting, time.now());
  const online = openOnlinePlayers(time, lastSeen);
  const creators = await loadPlayers(waiting.map((row) => row.player1_id));
  const stats = await openStats(deps, online);
  const lobby = openLobby(
    bus,
    online,
    waiting.map((row) => toMatchView(row, creators)),
  );
  const waitingGames = toWaitingGames(waiting);
  if (own.isShared) lobby.onChange((match) => waitingGames.updateMatch(match));
  hideAbsent(deps, online, lobby, lastSeen);
  metrics.gauge("holo_players_online", "Players connected to any server", online.onlineCount);
  metrics.gauge("holo_players_away", "Recently disconnected players still in memory", online.awayCount);
  metrics.gauge("holo_games_playing", "Games in progress on any server", () => stats.current().gamesPlaying);
  metrics.gauge(
    "holo_games_waiting",
    "Games waiting for an opponent on any server, including hidden ones",
    () => lobby.waiting.size,
  );
  const { isOnline, isReachable } = online;
  const lists = openGameLists({ ...deps, queries, lobby });
  const loadNeverPaired = openNeverPairedLoader((playerIds) => findNeverPairedOf(queries, playerIds));
  const feed = new LobbyFeed({ ...deps, isReachable, loadNeverPaired, loadMatches: lists.loadListed });
  const availability = openAvailabilityFeed({ ...deps, waiting: lobby.waiting, isOnline, loadNeverPaired });
  return { online, lobby, waitingGames, lists, feed, availability, stats };
}

async function openStats(
  { database, bus, time, wheel, delivery }: LobbyPartsDeps,
  presence: OnlinePlayers,
): Promise<LiveStats> {
  const queries = database.kysely;
  const activeNow = await loadActiveIds(queries);
  return openLiveStats({ bus, presence, time, wheel, delivery, activeNow });
}

function toWaitingGames(waiting: readonly GameRow[]): WaitingGames {
  const waitingGames = new WaitingGames();
  for (const row of waiting) {
    const terms = {
      game: row.game_type,
      stake: row.stake_amount,
      limitMs: row.time_limit * SECOND_MS,
      feeBps: row.fee_bps,
    };
    waitingGames.add({ gameId: row.id, creatorId: row.player1_id, createdAt: row.created_at }, terms);
  }
  return waitingGames;
}

/** Hides the waiting games of creators who do not return in time after a restart. */
function hideAbsent(
  { time, wheel }: LobbyPartsDeps,
  online: OnlinePlayers,
  lobby: Lobby,
  lastSeen: ReadonlyMap<PlayerId, Instant>,
): void {
  for (const [playerId, at] of lastSeen) {
    const hiddenInMs = at - time.now() + HIDDEN_AFTER_MS + SECOND_MS;
    wheel.schedule(time.monotonicMs() + Math.max(0, hiddenInMs), () => {
      if (!online.isReachable(playerId)) lobby.refresh(playerId);
    });
  }
}

/**
 * When creators of waiting games were last known to be here (ruling 38). A session is recorded once
 * a minute, so a minute is added, but never beyond the last service.
 */
async function loadLastSeen(
  { kysely, pool }: Database,
  waiting: readonly GameRow[],
  now: Instant,
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const servedUntil = (await loadLastSeenAt(pool)) ?? now;
  const seen = await loadSessionsSeen(
    kysely,
    waiting.map((row) => row.player1_id),
  );
  return new Map(
    waiting.map((row) => {
      const notedAt = Math.max(row.created_at, seen.get(row.player1_id) ?? 0);
      return [row.player1_id, toInstant(Math.min(notedAt + MINUTE_MS, servedUntil, now))];
    }),
  );
}
