import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";

export type LobbyTopics = {
  /** A listed game appeared, changed, was shown or hidden, or left every list. */
  lobby:
    | { readonly type: "match"; readonly match: MatchView }
    | { readonly type: "match_gone"; readonly gameId: GameId };
  everyone: { readonly frame: ServerFrame };
  stats: { readonly frame: Extract<ServerFrame, { readonly type: "stats" }> };
  /** A player has connected to that server. */
  online: { readonly serverId: string; readonly playerId: PlayerId };
};
