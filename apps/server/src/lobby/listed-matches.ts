import type { PlayerId } from "@holo/kernel/ids.ts";
import type { WaitingGames } from "../match/match.ts";
import type { Bus } from "../platform/bus.ts";
import type { OnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

/** Which games are in the lists, and which of those that wait are hidden (ruling 15). */
export interface ListedMatches {
  /** Shows or hides a player's waiting game after their reachability changed. */
  refresh(playerId: PlayerId): void;
  hiddenCreators(): readonly PlayerId[];
}

export function openListedMatches(
  bus: Bus<LobbyTopics>,
  { isReachable }: Pick<OnlinePlayers, "isReachable">,
  waitingGames: WaitingGames,
): ListedMatches {
  waitingGames.onChange((match) =>
    bus.publish(
      "lobby",
      match.status === "cancelled" ? { type: "match_gone", gameId: match.id } : { type: "match", match },
    ),
  );

  return {
    refresh(playerId) {
      const match = waitingGames.byCreator.get(playerId);
      // The list decides whether the match can be seen.
      if (match !== undefined) bus.publish("lobby", { type: "match", match });
    },
    hiddenCreators: () => [...waitingGames.byCreator.keys()].filter((creatorId) => !isReachable(creatorId)),
  };
}
