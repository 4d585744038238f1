import type { Metrics } from "../metrics/metrics.ts";
import type { Message } from "./message.ts";

type HintMessage = Extract<Message, { readonly type: "hint" }>;

/** Its newest hint that is known here; null until the next message that names it. */
export interface HintSource {
  sent: number | null;
}

/** Hints are numbered: a gap in the numbers of another server means that some were missed. */
export class Hints {
  readonly #send: (message: HintMessage) => void;
  readonly #missed: ReturnType<Metrics["counter"]>;
  readonly #hintListeners: ((topic: string, message: unknown) => void)[] = [];
  readonly #missedListeners: (() => void)[] = [];
  #sent = 0;

  constructor(send: (message: HintMessage) => void, metrics: Metrics) {
    this.#send = send;
    this.#missed = metrics.counter("holo_hints_missed_total", "Gaps noticed in messages from other servers");
  }

  /** The number of the newest own hint. */
  get sent(): number {
    return this.#sent;
  }

  send(topic: string, message: unknown): void {
    this.#sent += 1;
    this.#send({ type: "hint", sent: this.#sent, topic, message });
  }

  onHint(receive: (topic: string, message: unknown) => void): void {
    this.#hintListeners.push(receive);
  }

  onMissed(call: () => void): void {
    this.#missedListeners.push(call);
  }

  receive(source: HintSource, { sent, topic, message }: HintMessage): void {
    this.count(source, sent - 1);
    source.sent = sent;
    for (const receive of this.#hintListeners) receive(topic, message);
  }

  /** That server's newest hint has this number. */
  count(source: HintSource, newest: number): void {
    if (source.sent !== null && newest !== source.sent) this.noteMissed();
    source.sent = newest;
  }

  noteMissed(): void {
    this.#missed.inc();
    for (const call of this.#missedListeners) call();
  }
}
