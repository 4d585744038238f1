import { clearTimeout, performance, setTimeout } from "../runtime.ts";

/** A message that comes sooner after a write waits for the next ones, at most this long. */
const HOLD_MS = 2;
/** NATS takes messages of up to a megabyte, and a character takes up to three bytes. */
const JOINED_CHARS_MAX = 262_144;

interface Joined {
  readonly texts: string[];
  chars: number;
}

/**
 * The messages that wait for a write to NATS. A write costs both servers and NATS more than its
 * messages do, so bursts share one.
 */
export class Outbox {
  readonly #write: (subject: string, text: string) => void;
  #messages: (readonly [subject: string, text: string | Joined])[] = [];
  readonly #joined = new Map<string, Joined>();
  #isScheduled = false;
  #held: NodeJS.Timeout | null = null;
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(write: (subject: string, text: string) => void) {
    this.#write = write;
  }

  add(subject: string, text: string): void {
    this.#add(subject, text);
  }

  /** `text` is JSON. What waits for the subject is sent as one array. */
  join(subject: string, text: string): void {
    const open = this.#joined.get(subject);
    if (open !== undefined && open.chars + text.length <= JOINED_CHARS_MAX) {
      open.texts.push(text);
      open.chars += text.length;
      return;
    }
    const joined: Joined = { texts: [text], chars: text.length };
    this.#joined.set(subject, joined);
    this.#add(subject, joined);
  }

  send(): void {
    if (this.#held !== null) clearTimeout(this.#held);
    this.#held = null;
    this.#sentMs = performance.now();
    const messages = this.#messages;
    this.#messages = [];
    this.#joined.clear();
    for (const [subject, text] of messages)
      this.#write(subject, typeof text === "string" ? text : `[${text.texts.join(",")}]`);
  }

  #add(subject: string, text: string | Joined): void {
    // After all records of a commit, but before frames that already wait on sockets are read.
    if (!this.#isScheduled) queueMicrotask(() => this.#sendOrHold());
    this.#isScheduled = true;
    this.#messages.push([subject, text]);
  }

  #sendOrHold(): void {
    this.#isScheduled = false;
    const isBurst = performance.now() - this.#sentMs < HOLD_MS;
    if (isBurst && this.#held === null) this.#held = setTimeout(() => this.send(), HOLD_MS);
    else this.send();
  }
}
