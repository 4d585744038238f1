/** A connection whose other side may read slowly. */
interface Reader {
  terminate(): void;
}

/** A reader with fewer waiting bytes is not slow. */
const SLOW_ABOVE_BYTES = 65_536;

/**
 * Bounds the waiting bytes of several connections together. Above the limit the longest slow reader
 * is dropped, then the next; a page resumes at its version.
 */
export class SendBudget {
  readonly #bytesMax: number;
  #bytes = 0;
  /** The longest slow one first. */
  readonly #slow = new Set<Reader>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Replaces the reader's count of waiting bytes. */
  note(reader: Reader, bytesBefore: number, bytes: number): void {
    this.#bytes += bytes - bytesBefore;
    if (bytes > SLOW_ABOVE_BYTES) this.#slow.add(reader);
    else this.#slow.delete(reader);
    for (const slow of this.#slow) {
      if (this.#bytes <= this.#bytesMax) return;
      slow.terminate();
    }
  }
}
