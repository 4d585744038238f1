import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";

/** Ruling 15: a waiting game is hidden once its creator was offline for longer. */
export const HIDDEN_AFTER_MS = MINUTE_MS;

export interface OnlinePlayers {
  /** Returns whether this is the player's first connection. */
  connect(playerId: PlayerId): boolean;
  /** Returns whether this was the player's last connection. */
  disconnect(playerId: PlayerId): boolean;
  isOnline(playerId: PlayerId): boolean;
  /**
   * Online, or offline for at most a minute. In a node's first minute this includes players of whom
   * nothing is known.
   */
  isReachable(playerId: PlayerId): boolean;
  onlineCount(): number;
  /** Offline players who are still remembered. */
  awayCount(): number;
}

/** @param lastSeen players who may have left before this node opened */
export function openOnlinePlayers(time: Time, lastSeen: ReadonlyMap<PlayerId, Instant> = new Map()): OnlinePlayers {
  const openedAt = time.now();
  const connections = new Map<PlayerId, number>();
  const leftAt = new Map([...lastSeen].sort(([, a], [, b]) => a - b));

  /** Players offline for over a minute need no memory. They are in the order in which they left. */
  function dropUnreachable(): void {
    // Those who left before would count as unknown.
    if (time.now() - openedAt <= HIDDEN_AFTER_MS) return;
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
