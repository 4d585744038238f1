import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ArenaTopics } from "../../arena/arena.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Connection } from "./connection.ts";

export interface Broadcast {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  ofPlayer(playerId: PlayerId): ReadonlySet<Connection>;
  all(): ReadonlySet<Connection>;
}

const NONE: ReadonlySet<Connection> = new Set();

export function openBroadcast(bus: Bus<ArenaTopics>): Broadcast {
  const connections = new Set<Connection>();
  const byPlayer = new Map<PlayerId, Set<Connection>>();

  bus.subscribe("player", ({ playerId, frame }) => {
    const own = byPlayer.get(playerId);
    if (own === undefined) return;
    const text = JSON.stringify(frame);
    for (const connection of own) connection.send(text);
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
      if (connection.player === null) return;
      const own = byPlayer.get(connection.player.id);
      own?.delete(connection);
      if (own?.size === 0) byPlayer.delete(connection.player.id);
    },
    ofPlayer: (playerId) => byPlayer.get(playerId) ?? NONE,
    all: () => connections,
  };
}
