import type { PlayerId } from "@holo/kernel/ids.ts";
import type { GameTopics } from "../../game/game.ts";
import type { LobbyTopics } from "../../lobby/lobby.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Connection } from "./connection.ts";

export interface Broadcast {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  /** In the order in which they opened. */
  ofPlayer(playerId: PlayerId): readonly Connection[];
  all(): ReadonlySet<Connection>;
}

const NONE: readonly Connection[] = [];

export function openBroadcast(bus: Bus<GameTopics & LobbyTopics>): Broadcast {
  const connections = new Set<Connection>();
  /** Lists, because most have one connection, for which a set takes three times the memory. */
  const byPlayer = new Map<PlayerId, readonly Connection[]>();

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
      const { id } = connection.player;
      byPlayer.set(id, (byPlayer.get(id) ?? NONE).concat(connection));
    },
    remove(connection) {
      connections.delete(connection);
      if (connection.player === null) return;
      const { id } = connection.player;
      const left = (byPlayer.get(id) ?? NONE).filter((other) => other !== connection);
      if (left.length > 0) byPlayer.set(id, left);
      else byPlayer.delete(id);
    },
    ofPlayer: (playerId) => byPlayer.get(playerId) ?? NONE,
    all: () => connections,
  };
}
