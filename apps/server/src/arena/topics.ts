import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";

/** What the arena publishes on the bus. */
export type ArenaTopics = {
  /** A frame for all connections of one player. */
  player: { readonly playerId: PlayerId; readonly frame: ServerFrame };
  /** A frame for watchers of the lobby. Pending games are for players only (ruling 22). */
  lobby: { readonly frame: ServerFrame; readonly forPlayersOnly: boolean };
  /** A frame for watchers of the counts of players and games. */
  stats: { readonly frame: Extract<ServerFrame, { readonly type: "stats" }> };
  /** A frame for every connection, such as changed settings. */
  everyone: { readonly frame: ServerFrame };
};
