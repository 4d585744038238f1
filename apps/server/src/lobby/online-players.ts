import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../platform/time/time.ts";

/** Ruling 15: a waiting game is hidden once its creator was offline for longer. */
export const HIDDEN_AFTER_MS = MINUTE_MS;

export interface OnlinePlayers {
  connect(playerId: PlayerId): boolean;
  disconnect(playerId: PlayerId): boolean;
  /** With several servers: whether the player is connected to another one. */
  noteElsewhere(playerId: PlayerId, isThere: boolean): void;
  isOnline(playerId: PlayerId): boolean;
  listConnected(): readonly PlayerId[];
  /**
   * Online, or offline for at most a minute. In a server's first minute this includes unknown
   * players.
   */
  isReachable(playerId: PlayerId): boolean;
  onlineCount(): number;
  awayCount(): number;
}

/** `lastSeen`: players who may have left before this server opened. */
export function openOnlinePlayers(time: Time, lastSeen: ReadonlyMap<PlayerId, Instant> = new Map()): OnlinePlayers {
  const openedAt = time.now();
  const connections = new Map<PlayerId, number>();
  const elsewhere = new Set<PlayerId>();
  /** Of those elsewhere, how many are connected here too. */
  let onBoth = 0;
  const leftAt = new Map([...lastSeen].sort(([, a], [, b]) => a - b));

  /** Players offline for over a minute need no memory. They are in the order in which they left. */
  function dropUnreachable(): void {
    // Before that, dropped players would count as unknown.
    if (time.now() - openedAt <= HIDDEN_AFTER_MS) return;
    for (const [playerId, at] of leftAt) {
      if (time.now() - at <= HIDDEN_AFTER_MS) return;
      leftAt.delete(playerId);
    }
  }

  const isOnline = (playerId: PlayerId): boolean => connections.has(playerId) || elsewhere.has(playerId);

  return {
    connect(playerId) {
      const count = connections.get(playerId) ?? 0;
      connections.set(playerId, count + 1);
      leftAt.delete(playerId);
      if (count === 0 && elsewhere.has(playerId)) onBoth += 1;
      return count === 0;
    },
    disconnect(playerId) {
      const count = (connections.get(playerId) ?? 0) - 1;
      if (count > 0) {
        connections.set(playerId, count);
        return false;
      }
      connections.delete(playerId);
      if (elsewhere.has(playerId)) onBoth -= 1;
      dropUnreachable();
      if (!isOnline(playerId)) leftAt.set(playerId, time.now());
      return true;
    },
    noteElsewhere(playerId, isThere) {
      if (elsewhere.has(playerId) === isThere) return;
      if (isThere) elsewhere.add(playerId);
      else elsewhere.delete(playerId);
      if (connections.has(playerId)) onBoth += isThere ? 1 : -1;
      dropUnreachable();
      if (isThere) leftAt.delete(playerId);
      else if (!connections.has(playerId)) leftAt.set(playerId, time.now());
    },
    isOnline,
    listConnected: () => [...connections.keys()],
    isReachable(playerId) {
      if (isOnline(playerId)) return true;
      return time.now() - (leftAt.get(playerId) ?? openedAt) <= HIDDEN_AFTER_MS;
    },
    onlineCount: () => connections.size + elsewhere.size - onBoth,
    awayCount: () => leftAt.size,
  };
}
