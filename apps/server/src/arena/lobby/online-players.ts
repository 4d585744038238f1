import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";

/** Ruling 15: a waiting game is hidden once its creator has been offline for longer. */
export const HIDDEN_AFTER_MS = MINUTE_MS;

/** Which players have a connection here. */
export interface OnlinePlayers {
  /** True when this is the player's first connection. */
  connect(playerId: PlayerId): boolean;
  /** True when it was the player's last connection. */
  disconnect(playerId: PlayerId): boolean;
  isOnline(playerId: PlayerId): boolean;
  /** Online, or gone for no longer than a minute. Before a node's first minute is over, nobody counts as gone. */
  isReachable(playerId: PlayerId): boolean;
  onlineCount(): number;
  /** Players who are away and still remembered. */
  awayCount(): number;
}

export function openOnlinePlayers(time: Time): OnlinePlayers {
  const openedAt = time.now();
  const connections = new Map<PlayerId, number>();
  const leftAt = new Map<PlayerId, Instant>();

  /** Who has been away for longer than a minute is as unreachable as who was never here. They left in the order in which they stand. */
  function dropUnreachable(): void {
    for (const [playerId, at] of leftAt) {
      if (time.now() - at <= HIDDEN_AFTER_MS) return;
      leftAt.delete(playerId);
    }
  }

  return {
    connect(playerId) {
      const count = connections.get(playerId) ?? 0;
      connections.set(playerId, count + 1);
      leftAt.delete(playerId);
      return count === 0;
    },
    disconnect(playerId) {
      const count = (connections.get(playerId) ?? 0) - 1;
      if (count > 0) {
        connections.set(playerId, count);
        return false;
      }
      connections.delete(playerId);
      dropUnreachable();
      leftAt.set(playerId, time.now());
      return true;
    },
    isOnline: (playerId) => connections.has(playerId),
    isReachable(playerId) {
      if (connections.has(playerId)) return true;
      return time.now() - (leftAt.get(playerId) ?? openedAt) <= HIDDEN_AFTER_MS;
    },
    onlineCount: () => connections.size,
    awayCount: () => leftAt.size,
  };
}
