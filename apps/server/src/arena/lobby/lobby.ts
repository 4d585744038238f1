import type { PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/games.ts";
import type { Bus } from "../../platform/bus.ts";
import type { ArenaTopics } from "../topics.ts";
import type { OnlinePlayers } from "./online-players.ts";

/** The waiting games of this node, and broadcasts of changed games. */
export interface Lobby {
  update(match: MatchView): void;
  /** Shows or hides a player's waiting game after their reachability changed (ruling 15). */
  refresh(playerId: PlayerId): void;
  isVisible(creatorId: PlayerId): boolean;
  /** Creators of waiting games who cannot be joined now. */
  hiddenCreators(): readonly PlayerId[];
  /** The listed games that wait, by their creators: each has one at most. */
  readonly waiting: ReadonlyMap<PlayerId, MatchView>;
}

export function openLobby(bus: Bus<ArenaTopics>, presence: OnlinePlayers, waitingNow: readonly MatchView[]): Lobby {
  const waiting = new Map<PlayerId, MatchView>(waitingNow.map((match) => [match.white.id, match]));

  return {
    waiting,
    update(match) {
      const creatorId = match.white.id;
      if (match.status === "pending") waiting.set(creatorId, match);
      else if (waiting.get(creatorId)?.id === match.id) waiting.delete(creatorId);
      if (match.status === "cancelled") bus.publish("lobby", { type: "match_gone", gameId: match.id });
      else bus.publish("lobby", { type: "match", match });
    },
    refresh(playerId) {
      const match = waiting.get(playerId);
      // Whether it can be seen is decided where it is listed.
      if (match !== undefined) bus.publish("lobby", { type: "match", match });
    },
    isVisible: (creatorId) => presence.isReachable(creatorId),
    hiddenCreators: () => [...waiting.keys()].filter((creatorId) => !presence.isReachable(creatorId)),
  };
}
