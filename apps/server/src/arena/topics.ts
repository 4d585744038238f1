import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { MatchView } from "@holo/protocol/games.ts";

/** What the arena publishes on the bus. */
export type ArenaTopics = {
  /** A frame for all connections of one player. */
  player: { readonly playerId: PlayerId; readonly frame: ServerFrame };
  /** A listed game appeared, changed, or became visible or hidden; or it left every list. */
  lobby:
    | { readonly type: "match"; readonly match: MatchView }
    | { readonly type: "match_gone"; readonly gameId: GameId };
  /** New counts of players and games. */
  stats: { readonly frame: Extract<ServerFrame, { readonly type: "stats" }> };
  /** A frame for every connection, such as changed settings. */
  everyone: { readonly frame: ServerFrame };
};
