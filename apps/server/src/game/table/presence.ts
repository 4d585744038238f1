import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type BySeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { Watcher } from "./watcher.ts";

export class TablePresence {
  readonly #watchers = new Set<Watcher>();
  #awaySinceAt: BySeat<Instant | null>;

  /** Both players count as away since `at` until they watch. */
  constructor(at: Instant) {
    this.#awaySinceAt = [at, at];
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers;
  }

  get awaySinceAt(): BySeat<Instant | null> {
    return this.#awaySinceAt;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  /** Returns false if the connection did not watch. */
  remove(watcher: Watcher): boolean {
    return this.#watchers.delete(watcher);
  }

  isWatchedBy(playerId: PlayerId | null): boolean {
    for (const { player } of this.#watchers) if (player !== null && player.id === playerId) return true;
    return false;
  }

  lagMs(playerId: PlayerId | null): number {
    let lagMs = 0;
    for (const watcher of this.#watchers) {
      if (watcher.player !== null && watcher.player.id === playerId) lagMs = Math.max(lagMs, watcher.lagMs());
    }
    return lagMs;
  }

  setAwaySince(seat: Seat, at: Instant | null): void {
    this.#awaySinceAt = replaceSeat(this.#awaySinceAt, seat, at);
  }

  send(toFrame: (watcher: Watcher) => string, startsTurn = false): void {
    for (const watcher of this.#watchers) watcher.send(toFrame(watcher), startsTurn);
  }
}
