import { clearTimeout, performance, setTimeout } from "../runtime.ts";

/** A message that comes sooner after a write waits for the next ones, at most this long. */
const HOLD_MS = 2;
/** NATS takes messages of up to a megabyte, and a character takes up to three bytes. */
const BATCH_CHARS_MAX = 262_144;

interface Batch {
  readonly texts: string[];
  chars: number;
}

/**
 * The messages that wait for a write, by receiver. A write costs both servers and NATS more than
 * its messages do, so bursts share one.
 */
export class Outbox {
  readonly #write: (receiver: string, texts: readonly string[]) => void;
  #batches: (readonly [receiver: string, batch: Batch])[] = [];
  readonly #open = new Map<string, Batch>();
  #isScheduled = false;
  #held: NodeJS.Timeout | null = null;
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(write: (receiver: string, texts: readonly string[]) => void) {
    this.#write = write;
  }

  add(receiver: string, text: string): void {
    const open = this.#open.get(receiver);
    if (open !== undefined && open.chars + text.length <= BATCH_CHARS_MAX) {
      open.texts.push(text);
      open.chars += text.length;
      return;
    }
    const batch: Batch = { texts: [text], chars: text.length };
    this.#open.set(receiver, batch);
    this.#batches.push([receiver, batch]);
    // After all records of a commit, but before frames that already wait on sockets are read.
    if (!this.#isScheduled) queueMicrotask(() => this.#sendOrHold());
    this.#isScheduled = true;
  }

  /** What waits is not sent. */
  clear(): void {
    this.#batches = [];
    this.#open.clear();
  }

  send(): void {
    if (this.#held !== null) clearTimeout(this.#held);
    this.#held = null;
    this.#sentMs = performance.now();
    const batches = this.#batches;
    this.#batches = [];
    this.#open.clear();
    for (const [receiver, { texts }] of batches) this.#write(receiver, texts);
  }

  #sendOrHold(): void {
    this.#isScheduled = false;
    const isBurst = performance.now() - this.#sentMs < HOLD_MS;
    if (isBurst && this.#held === null) this.#held = setTimeout(() => this.send(), HOLD_MS);
    else this.send();
  }
}
