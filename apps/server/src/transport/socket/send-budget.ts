/** A connection whose other side may read slowly. */
export interface Reader {
  /** Without waiting for the other side. It notes that nothing waits any more. */
  terminate(): void;
}

/** A reader with less waiting is not slow. */
const SLOW_ABOVE_BYTES = 65_536;

/**
 * Bounds the bytes that wait to be sent to several connections together. Above the limit the
 * longest slow reader is dropped, then the next; a page resumes at its version.
 */
export class SendBudget {
  readonly #bytesMax: number;
  readonly #whole: SendBudget | null;
  #bytes = 0;
  /** The longest slow one first. */
  readonly #slow = new Set<Reader>();

  /** @param whole a budget that this one is a part of */
  constructor(bytesMax: number, whole: SendBudget | null = null) {
    this.#bytesMax = bytesMax;
    this.#whole = whole;
  }

  /** Counts what waits for a reader now instead of before. */
  note(reader: Reader, bytesBefore: number, bytes: number): void {
    this.#bytes += bytes - bytesBefore;
    if (bytes > SLOW_ABOVE_BYTES) this.#slow.add(reader);
    else this.#slow.delete(reader);
    this.#whole?.note(reader, bytesBefore, bytes);
    for (const slow of this.#slow) {
      if (this.#bytes <= this.#bytesMax) return;
      slow.terminate();
    }
  }
}
