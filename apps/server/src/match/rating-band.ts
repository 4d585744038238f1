import type { Instant } from "@holo/kernel/instant.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";

/** A player who looks for an opponent on some terms, or waits on them with a game. */
export interface Seek {
  readonly rating: number;
  /** Wants an opponent near their own rating (ruling 43). */
  readonly nearRating: boolean;
}

export interface WaitingSeek extends Seek {
  readonly sinceAt: Instant;
}

const FIRST_WIDTH = 100;
const WIDER_BY = 100;
const WIDER_EVERY_MS = 15 * SECOND_MS;
/** After this time anyone will do: a wait is worse than an uneven game. */
const ANYONE_AFTER_MS = 90 * SECOND_MS;

/** How far an opponent's rating may be, after a wait of this time. */
export function toBandWidth({ nearRating }: Seek, waitedMs: number): number {
  if (!nearRating || waitedMs >= ANYONE_AFTER_MS) return Number.POSITIVE_INFINITY;
  return FIRST_WIDTH + WIDER_BY * Math.floor(Math.max(0, waitedMs) / WIDER_EVERY_MS);
}

/** Whether each is within the band of the other. */
export function isWithinBands(one: WaitingSeek, other: WaitingSeek, at: Instant): boolean {
  const width = Math.min(toBandWidth(one, at - one.sinceAt), toBandWidth(other, at - other.sinceAt));
  return Math.abs(one.rating - other.rating) <= width;
}

/**
 * Who of those that wait play each other: the longest waiting first, with the longest waiting of
 * those who suit (ruling 23). No two who are left suit each other.
 */
export function findPairs<One extends WaitingSeek>(
  waiting: readonly One[],
  isPair: (older: One, younger: One) => boolean,
): readonly (readonly [older: One, younger: One])[] {
  const left = [...waiting].sort((a, b) => a.sinceAt - b.sinceAt);
  const pairs: (readonly [One, One])[] = [];
  for (let older = left.shift(); older !== undefined; older = left.shift()) {
    const first = older;
    const index = left.findIndex((younger) => isPair(first, younger));
    if (index !== -1) pairs.push([first, ...(left.splice(index, 1) as [One])]);
  }
  return pairs;
}
