import { clearTimeout, performance, setImmediate, setTimeout } from "../runtime.ts";

/** A message within this time of a write waits for the next ones, for at most as long. */
const HOLD_MS = 6;

/**
 * The messages that wait for a write to NATS. A write costs both servers and NATS more than its
 * messages do, so bursts share one.
 */
export class Outbox {
  readonly #write: (subject: string, text: string) => void;
  #messages: (readonly [subject: string, text: string])[] = [];
  #isScheduled = false;
  #held: NodeJS.Timeout | null = null;
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(write: (subject: string, text: string) => void) {
    this.#write = write;
  }

  add(subject: string, text: string): void {
    // The client writes once per microtask, which would be once per record of a commit.
    if (!this.#isScheduled) setImmediate(() => this.#sendOrHold());
    this.#isScheduled = true;
    this.#messages.push([subject, text]);
  }

  send(): void {
    if (this.#held !== null) clearTimeout(this.#held);
    this.#held = null;
    this.#sentMs = performance.now();
    const messages = this.#messages;
    this.#messages = [];
    for (const [subject, text] of messages) this.#write(subject, text);
  }

  #sendOrHold(): void {
    this.#isScheduled = false;
    const isBurst = performance.now() - this.#sentMs < HOLD_MS;
    if (isBurst && this.#held === null) this.#held = setTimeout(() => this.send(), HOLD_MS);
    else this.send();
  }
}
