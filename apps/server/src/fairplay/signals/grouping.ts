import type { PlayerId } from "@holo/kernel/ids.ts";

/** Which accounts count as one. */
export class Grouping {
  readonly #keys = new Map<PlayerId, PlayerId>();
  readonly #members = new Map<PlayerId, PlayerId[]>();

  /** Clusters overlap: an account belongs to the first that names it. */
  constructor(clusters: Iterable<readonly PlayerId[]>) {
    for (const cluster of clusters) {
      const free = cluster.filter((id) => !this.#keys.has(id));
      for (const id of free) this.#keys.set(id, free[0]!);
      if (free.length > 0) this.#members.set(free[0]!, free);
    }
  }

  keyOf(playerId: PlayerId): PlayerId {
    return this.#keys.get(playerId) ?? playerId;
  }

  membersOf(playerId: PlayerId): readonly PlayerId[] {
    return this.#members.get(this.keyOf(playerId)) ?? [playerId];
  }
}
