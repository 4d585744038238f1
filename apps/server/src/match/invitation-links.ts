import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { InvitationView } from "@holo/protocol/match/invitations.ts";
import type { GameLists } from "../game/history/game-lists.ts";
import { loadGame } from "../game/log/game-store.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Invitations } from "./invitations.ts";

export interface InvitationLinks {
  /** The token of a waiting game, for its creator; null otherwise. */
  findOwnInvitation(gameId: GameId, playerId: PlayerId): Promise<string | null>;
  /** What a link shows; null if its token is not valid. */
  findInvitation(token: string): Promise<InvitationView | null>;
}

export function openInvitationLinks(
  queries: Queries,
  invitations: Invitations,
  lists: Pick<GameLists, "loadInvitation">,
): InvitationLinks {
  return {
    async findOwnInvitation(gameId, playerId) {
      const game = await loadGame(queries, gameId);
      const isOwn = game?.status === "waiting" && game.pairing === "invitation" && game.player1_id === playerId;
      return isOwn ? invitations.toToken(gameId) : null;
    },
    async findInvitation(token) {
      const gameId = invitations.parse(token);
      return gameId === null ? null : await lists.loadInvitation(gameId);
    },
  };
}
