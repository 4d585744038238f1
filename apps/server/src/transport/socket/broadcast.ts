import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ArenaTopics } from "../../arena/arena.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Connection } from "./connection.ts";

/** Carries what the arena says to the connections it is for. */
export interface Broadcast {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  enterLobby(connection: Connection): void;
  leaveLobby(connection: Connection): void;
  watchStats(connection: Connection): void;
  unwatchStats(connection: Connection): void;
  ofPlayer(playerId: PlayerId): ReadonlySet<Connection>;
  all(): ReadonlySet<Connection>;
}

const NONE: ReadonlySet<Connection> = new Set();

export function openBroadcast(bus: Bus<ArenaTopics>): Broadcast {
  const connections = new Set<Connection>();
  const byPlayer = new Map<PlayerId, Set<Connection>>();
  const lobby = new Set<Connection>();
  const statsWatchers = new Set<Connection>();

  bus.subscribe("player", ({ playerId, frame }) => {
    const own = byPlayer.get(playerId);
    if (own === undefined) return;
    const text = JSON.stringify(frame);
    for (const connection of own) connection.send(text);
  });
  bus.subscribe("lobby", ({ frame, forPlayersOnly }) => {
    if (lobby.size === 0) return;
    const text = JSON.stringify(frame);
    for (const connection of lobby) if (!forPlayersOnly || connection.player !== null) connection.send(text);
  });
  bus.subscribe("stats", ({ frame }) => {
    const text = JSON.stringify(frame);
    for (const connection of statsWatchers) connection.send(text);
  });

  bus.subscribe("everyone", ({ frame }) => {
    const text = JSON.stringify(frame);
    for (const connection of connections) connection.send(text);
  });

  return {
    add(connection) {
      connections.add(connection);
      if (connection.player === null) return;
      const own = byPlayer.get(connection.player.id) ?? new Set();
      own.add(connection);
      byPlayer.set(connection.player.id, own);
    },
    remove(connection) {
      connections.delete(connection);
      lobby.delete(connection);
      statsWatchers.delete(connection);
      if (connection.player === null) return;
      const own = byPlayer.get(connection.player.id);
      own?.delete(connection);
      if (own?.size === 0) byPlayer.delete(connection.player.id);
    },
    enterLobby: (connection) => void lobby.add(connection),
    leaveLobby: (connection) => void lobby.delete(connection),
    watchStats: (connection) => void statsWatchers.add(connection),
    unwatchStats: (connection) => void statsWatchers.delete(connection),
    ofPlayer: (playerId) => byPlayer.get(playerId) ?? NONE,
    all: () => connections,
  };
}
