/** Newest round trips of one connection, measured by the server alone: a client cannot claim one. */
export interface RoundTrips {
  add(ms: number): void;
  /** The network's share of a move in ms: the newest round trip, at most the median of the newest and 50 ms (ruling 16). */
  lagMs(): number;
}

const KEPT = 9;
const ABOVE_MEDIAN_MS = 50;

export function makeRoundTrips(): RoundTrips {
  const newest: number[] = [];
  // Asked for with every move, measured every few seconds.
  let lagMs = 0;
  return {
    add(ms) {
      newest.push(ms);
      if (newest.length > KEPT) newest.shift();
      const sorted = [...newest].sort((a, b) => a - b);
      lagMs = Math.min(ms, sorted[(sorted.length - 1) >> 1]! + ABOVE_MEDIAN_MS);
    },
    lagMs: () => lagMs,
  };
}
