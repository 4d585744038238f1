import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";

/** What waits for a player: their time runs out, or an offer is unanswered. */
export type Waiting = "time" | "draw" | "takeback" | "rematch";

export type GameTopics = {
  player: { readonly playerId: PlayerId; readonly frame: ServerFrame };
  /** A game that is not hidden began to wait, started or ended. */
  match: { readonly match: MatchView };
  /** Something waits at a table for a player, who may be away. On the server that owns the game. */
  waiting: { readonly playerId: PlayerId; readonly gameId: GameId; readonly for: Waiting; readonly version: number };
  /** A server has begun to own a game that waited. */
  owned: { readonly gameId: GameId };
};
