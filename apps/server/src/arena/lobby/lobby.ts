import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { AvailabilityView, MatchView } from "@holo/protocol/games.ts";
import type { Bus } from "../../platform/bus.ts";
import type { ArenaTopics } from "../topics.ts";
import type { OnlinePlayers } from "./online-players.ts";

/** The waiting games of this node, and broadcasts of changed games. */
export interface Lobby {
  update(match: MatchView): void;
  /** Shows or hides a player's waiting game after their reachability changed (ruling 15). */
  refresh(playerId: PlayerId): void;
  isVisible(creatorId: PlayerId): boolean;
  availability(): readonly AvailabilityView[];
  waitingCount(): number;
}

export function openLobby(bus: Bus<ArenaTopics>, presence: OnlinePlayers, waitingNow: readonly MatchView[]): Lobby {
  const waiting = new Map<GameId, MatchView>(waitingNow.map((match) => [match.id, match]));

  function availability(): readonly AvailabilityView[] {
    const byTerms = new Map<string, { readonly view: MatchView; readonly creators: PlayerId[] }>();
    for (const match of waiting.values()) {
      if (!presence.isReachable(match.white.id)) continue;
      const key = `${match.game} ${match.stake} ${match.limitMinutes}`;
      const group = byTerms.get(key) ?? { view: match, creators: [] };
      group.creators.push(match.white.id);
      byTerms.set(key, group);
    }
    return [...byTerms.values()].map(({ view, creators }) => ({
      game: view.game,
      stake: view.stake,
      limitMinutes: view.limitMinutes,
      creators,
    }));
  }

  function broadcastAvailability(): void {
    bus.publish("lobby", { frame: { type: "availability", waiting: availability() }, forPlayersOnly: true });
  }

  return {
    update(match) {
      const wasWaiting = waiting.delete(match.id);
      const isWaiting = match.status === "pending";
      if (isWaiting) waiting.set(match.id, match);
      if (match.status === "cancelled") {
        bus.publish("lobby", { frame: { type: "match_gone", gameId: match.id }, forPlayersOnly: false });
      } else {
        bus.publish("lobby", { frame: { type: "match", match }, forPlayersOnly: isWaiting });
      }
      if (wasWaiting !== isWaiting) broadcastAvailability();
    },
    refresh(playerId) {
      for (const match of waiting.values()) {
        if (match.white.id !== playerId) continue;
        const frame = presence.isReachable(playerId)
          ? ({ type: "match", match } as const)
          : ({ type: "match_gone", gameId: match.id } as const);
        bus.publish("lobby", { frame, forPlayersOnly: true });
        broadcastAvailability();
      }
    },
    isVisible: (creatorId) => presence.isReachable(creatorId),
    availability,
    waitingCount: () => waiting.size,
  };
}
