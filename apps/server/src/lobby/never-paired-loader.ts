import type { PlayerId } from "@holo/kernel/ids.ts";
import type { NeverPaired } from "../accounts/accounts.ts";

type NeverPairedOf = ReadonlyMap<PlayerId, NeverPaired>;

/** Batches the reads: many at once, as after a restart, become one query. */
export type LoadNeverPaired = (playerId: PlayerId) => Promise<NeverPaired>;

const NONE: NeverPaired = new Map();

/** `loadAll` omits players without any. */
export function openNeverPairedLoader(
  loadAll: (playerIds: readonly PlayerId[]) => Promise<NeverPairedOf>,
): LoadNeverPaired {
  let asked = new Set<PlayerId>();
  let next: Promise<NeverPairedOf> | null = null;
  let running: Promise<unknown> = Promise.resolve();

  async function loadAsked(): Promise<NeverPairedOf> {
    const playerIds = [...asked];
    asked = new Set();
    next = null;
    return await loadAll(playerIds);
  }

  return async (playerId) => {
    asked.add(playerId);
    if (next === null) {
      // A player requested while a query runs is read by the next one.
      next = running.then(loadAsked);
      running = next.catch(() => undefined);
    }
    return (await next).get(playerId) ?? NONE;
  };
}
