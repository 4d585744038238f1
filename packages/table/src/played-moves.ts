import type { BySeat } from "@holo/rules/by-seat.ts";
import type { Move } from "@holo/rules/rules.ts";

export interface PlayedMove {
  readonly move: Move;
  readonly chargedMs: number;
  readonly remainingMs: BySeat<number>;
}

/**
 * The moves of a game from its start, immutable. Every move adds one, so a value shares its array
 * with its successor and sees only its own part.
 */
export class PlayedMoves implements Iterable<PlayedMove> {
  readonly length: number;
  readonly #shared: PlayedMove[];

  private constructor(shared: PlayedMove[], length: number) {
    this.#shared = shared;
    this.length = length;
  }

  static none(): PlayedMoves {
    return new PlayedMoves([], 0);
  }

  add(move: PlayedMove): PlayedMoves {
    // If another value was derived from this one before, that value keeps the array.
    const shared = this.#shared.length === this.length ? this.#shared : this.slice();
    shared.push(move);
    return new PlayedMoves(shared, this.length + 1);
  }

  /** The first moves; all if there are fewer. */
  take(count: number): PlayedMoves {
    return new PlayedMoves(this.#shared, Math.min(count, this.length));
  }

  /** Negative counts from the end, as in an array. */
  at(index: number): PlayedMove | undefined {
    return index < this.length ? this.#shared[index < 0 ? this.length + index : index] : undefined;
  }

  slice(fromPly = 0): PlayedMove[] {
    return this.#shared.slice(fromPly, this.length);
  }

  map<Item>(toItem: (move: PlayedMove, ply: number) => Item): Item[] {
    return this.slice().map(toItem);
  }

  [Symbol.iterator](): ArrayIterator<PlayedMove> {
    return this.slice().values();
  }
}
