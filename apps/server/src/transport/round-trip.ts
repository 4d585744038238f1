const KEPT = 9;
const ABOVE_MEDIAN_MS = 50;

/** Newest round trips of one connection, measured by the server alone: a client cannot claim one. */
export class RoundTrips {
  readonly #newest: number[] = [];
  #lagMs = 0;

  add(ms: number): void {
    this.#newest.push(ms);
    if (this.#newest.length > KEPT) this.#newest.shift();
    const sorted = [...this.#newest].sort((a, b) => a - b);
    this.#lagMs = Math.min(ms, sorted[(sorted.length - 1) >> 1]! + ABOVE_MEDIAN_MS);
  }

  /** The network's share of a move in ms: the newest round trip, at most the median of the newest and 50 ms (ruling 16). */
  get lagMs(): number {
    return this.#lagMs;
  }
}
