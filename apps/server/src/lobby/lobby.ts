import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { ArenaTopics } from "../game/topics.ts";
import type { Bus } from "../platform/bus.ts";
import type { OnlinePlayers } from "./online-players.ts";

export interface Lobby {
  /** `everywhere` is false if the other servers know. */
  update(match: MatchView, everywhere?: boolean): void;
  /** The newest change of a game that is known here, also by another server. */
  onChange(receive: (match: MatchView) => void): void;
  /** Shows or hides a player's waiting game after their reachability changed (ruling 15). */
  refresh(playerId: PlayerId): void;
  isVisible(creatorId: PlayerId): boolean;
  hiddenCreators(): readonly PlayerId[];
  /** The listed games that wait, by their creators: each has one at most. */
  readonly waiting: ReadonlyMap<PlayerId, MatchView>;
}

const STAGES: Readonly<Record<MatchView["status"], number>> = { pending: 0, active: 1, completed: 2, cancelled: 2 };
const STAGES_KEPT = 5_000;

export function openLobby(bus: Bus<ArenaTopics>, presence: OnlinePlayers, waitingNow: readonly MatchView[]): Lobby {
  const waiting = new Map<PlayerId, MatchView>(waitingNow.map((match) => [match.white.id, match]));
  /** The newest stages, because messages of two servers may overtake each other. */
  const stages = new Map<GameId, number>();
  const listeners: ((match: MatchView) => void)[] = [];

  function isOutdated({ id, status }: MatchView): boolean {
    const known = stages.get(id) ?? 0;
    if (STAGES[status] < known) return true;
    stages.delete(id);
    stages.set(id, STAGES[status]);
    const [oldest] = stages.keys();
    if (stages.size > STAGES_KEPT && oldest !== undefined) stages.delete(oldest);
    return false;
  }

  bus.subscribe("match", ({ match }) => {
    if (isOutdated(match)) return;
    const creatorId = match.white.id;
    if (match.status === "pending") waiting.set(creatorId, match);
    else if (waiting.get(creatorId)?.id === match.id) waiting.delete(creatorId);
    for (const receive of listeners) receive(match);
    if (match.status === "cancelled") bus.publish("lobby", { type: "match_gone", gameId: match.id });
    else bus.publish("lobby", { type: "match", match });
  });

  return {
    waiting,
    update(match, everywhere = true) {
      if (everywhere) bus.publish("match", { match });
      else bus.publishHere("match", { match });
    },
    onChange: (receive) => void listeners.push(receive),
    refresh(playerId) {
      const match = waiting.get(playerId);
      // The list decides whether the match can be seen.
      if (match !== undefined) bus.publish("lobby", { type: "match", match });
    },
    isVisible: (creatorId) => presence.isReachable(creatorId),
    hiddenCreators: () => [...waiting.keys()].filter((creatorId) => !presence.isReachable(creatorId)),
  };
}
