import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";

/** What the arena says on the bus, for whoever carries it to connections. */
export type ArenaTopics = {
  /** A frame for all connections of one player. */
  player: { readonly playerId: PlayerId; readonly frame: ServerFrame };
  /** A frame for who watches the lobby; a pending game is shown to players alone (ruling 22). */
  lobby: { readonly frame: ServerFrame; readonly forPlayersOnly: boolean };
  /** A frame for who watches the numbers of players and games. */
  stats: { readonly frame: Extract<ServerFrame, { readonly type: "stats" }> };
  /** A frame for every connection: what holds for all, such as other settings. */
  everyone: { readonly frame: ServerFrame };
};
