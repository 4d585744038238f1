/** A server whose counter did not change for longer is ended. */
export const ENDED_AFTER_MS = 3_000;
/** With a longer pause between two readings nothing is known of the time between them. */
const READINGS_MS_MAX = 1_000;

interface Stillness {
  /** Since it was first read like this. */
  readonly unchangedMs: number;
  /** Of that, how long readings without a longer pause have found it so. */
  readonly stillMs: number;
}

interface Counter {
  readonly beats: string;
  readonly changedMs: number;
  readonly stillSinceMs: number;
}

/**
 * How long counters have not changed, by this process's own monotonic clock: no clock of a database
 * or of another machine is compared.
 */
export class Counters {
  #counters = new Map<string, Counter>();
  #readMs = Number.NEGATIVE_INFINITY;

  /** Takes a successful reading of all. */
  read(
    found: Iterable<readonly [key: string, beats: string]>,
    sentMs: number,
    receivedMs: number,
  ): ReadonlyMap<string, Stillness> {
    const isSteady = receivedMs - this.#readMs <= READINGS_MS_MAX;
    this.#readMs = receivedMs;
    const before = this.#counters;
    this.#counters = new Map();
    const stillness = new Map<string, Stillness>();
    for (const [key, beats] of found) {
      const known = before.get(key);
      const isSame = known?.beats === beats;
      const changedMs = isSame ? known.changedMs : receivedMs;
      const stillSinceMs = isSame && isSteady ? known.stillSinceMs : receivedMs;
      this.#counters.set(key, { beats, changedMs, stillSinceMs });
      stillness.set(key, { unchangedMs: sentMs - changedMs, stillMs: sentMs - stillSinceMs });
    }
    return stillness;
  }
}
