import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";

export type GameTopics = {
  player: { readonly playerId: PlayerId; readonly frame: ServerFrame };
  /** A game that is not hidden began to wait, started or ended. */
  match: { readonly match: MatchView };
  /** A server has begun to own a game that waited. */
  owned: { readonly gameId: GameId };
};
