import { setImmediate } from "../runtime.ts";
import type { Message } from "./message.ts";
import { type Change, makeShare, type ReadonlyShare, type Share } from "./share.ts";

const KEYS_PER_MESSAGE = 4_000;

/** What this server holds. It sends the others each change, and all keys on request. */
export class OwnShare {
  readonly #share: Share = makeShare();
  readonly #send: (message: Message) => void;
  readonly #monotonicMs: () => number;
  readonly #handedMs = new Map<string, number>();
  #changes: Change[] = [];
  #isKept = false;
  #isHandingOver = false;

  constructor(send: (message: Message) => void, monotonicMs: () => number) {
    this.#send = send;
    this.#monotonicMs = monotonicMs;
  }

  get share(): ReadonlyShare {
    return this.#share;
  }

  digest(): string {
    return this.#share.digest();
  }

  get isHandingOver(): boolean {
    return this.#isHandingOver;
  }

  startHandover(): void {
    this.#isHandingOver = true;
    this.#send({ type: "handing_over" });
  }

  /** False: it was held before. */
  hold(key: string): boolean {
    if (!this.#share.add(key)) return false;
    this.#change(`+${key}`);
    return true;
  }

  /** False: it was not held, or it is kept. */
  release(key: string): boolean {
    if (this.#isKept || this.#handedMs.has(key) || !this.#share.delete(key)) return false;
    this.#change(`-${key}`);
    return true;
  }

  /** From now on nothing is released, and no player is served. */
  keep(): void {
    this.#isKept = true;
    this.#send({ type: "closing" });
  }

  /** These keys are kept as well: their players are not served from now on. */
  handOver(keys: readonly string[]): void {
    this.#sendChanges();
    for (const key of keys) this.#handedMs.set(key, this.#monotonicMs());
    this.#sendHanded(0, keys);
  }

  sendAll(): void {
    this.#sendChanges();
    const keys = [...this.#share.keys()];
    for (let from = 0; from === 0 || from < keys.length; from += KEYS_PER_MESSAGE) {
      const part = keys.slice(from, from + KEYS_PER_MESSAGE);
      this.#send({ type: "keys", isFirst: from === 0, isLast: from + KEYS_PER_MESSAGE >= keys.length, keys: part });
    }
    for (const [atMs, handed] of Map.groupBy(this.#handedMs, ([, ms]) => ms))
      this.#sendHanded(
        this.#monotonicMs() - atMs,
        handed.map(([key]) => key),
      );
  }

  #sendHanded(agoMs: number, keys: readonly string[]): void {
    for (let from = 0; from < keys.length; from += KEYS_PER_MESSAGE)
      this.#send({ type: "handed_over", agoMs, keys: keys.slice(from, from + KEYS_PER_MESSAGE) });
  }

  #change(change: Change): void {
    if (this.#changes.length === 0) setImmediate(() => this.#sendChanges());
    this.#changes.push(change);
  }

  #sendChanges(): void {
    if (this.#changes.length === 0) return;
    for (let from = 0; from < this.#changes.length; from += KEYS_PER_MESSAGE)
      this.#send({ type: "changes", changes: this.#changes.slice(from, from + KEYS_PER_MESSAGE) });
    this.#changes = [];
  }
}
