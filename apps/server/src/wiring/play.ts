import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Games, type GameTopics, type LoadPlayers, openGames } from "../game/game.ts";
import { type Lobby, type LobbyTopics, openLobby } from "../lobby/lobby.ts";
import { type Matches, openMatches, openWaitingGames, SEAT_RULES } from "../match/match.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { Metrics } from "../platform/metrics/metrics.ts";
import type { Links } from "../platform/servers/links.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import type { OutageMeter } from "../platform/time/outage-meter.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { openPlayers, type Players } from "../players/players.ts";

/** The modules of play. */
export interface Play {
  readonly games: Games;
  readonly matches: Matches;
  readonly lobby: Lobby;
  readonly players: Players;
}

export interface PlayDeps {
  readonly database: Database;
  readonly own: OwnServer;
  readonly links: Links;
  readonly bus: Bus<GameTopics & LobbyTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secret: string;
  readonly feeBps: () => number;
  /** Links and phone numbers in the chat. Default: masked. */
  readonly masksContacts?: boolean;
  readonly loadPlayers: LoadPlayers;
  readonly searchPlayers: (text: string) => Promise<readonly PlayerId[]>;
}

/** Opens the modules of play, each with what it needs from the others. */
export async function openPlay(deps: PlayDeps): Promise<Play & { close(): Promise<void> }> {
  const waitingGames = await openWaitingGames({ ...deps, queries: deps.database.kysely });
  const lobby = await openLobby({ ...deps, waitingGames });
  const games = await openGames({ ...deps, seatRules: SEAT_RULES, isReachable: lobby.isReachable });
  const matches = openMatches({ ...deps, games, waitingGames, presence: lobby });
  return {
    games,
    matches,
    lobby,
    players: openPlayers(deps),
    async close() {
      lobby.close();
      games.stopAccepting();
      await matches.close();
      await games.close();
    },
  };
}
