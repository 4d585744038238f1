import type { NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../log.ts";

/** After this many bytes the client asks NATS for an acknowledgement. */
const FLUSH_BYTES = 262_144;
/** Beyond this, messages for a slow connection are dropped: their receivers notice the gap. */
const UNFLUSHED_BYTES_MAX = 8_388_608;

/** The messages that NATS has not confirmed yet. */
export class SendWindow {
  readonly #log: Log;
  #bytes = 0;
  #isFlushing = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get isFull(): boolean {
    return this.#bytes > UNFLUSHED_BYTES_MAX;
  }

  /** For a new connection. */
  reset(): void {
    this.#bytes = 0;
    this.#isFlushing = false;
  }

  send(connection: NatsConnection, subject: string, text: string): void {
    connection.publish(subject, text);
    this.#bytes += text.length;
    if (!this.#isFlushing && this.#bytes >= FLUSH_BYTES) this.#flush(connection);
  }

  #flush(connection: NatsConnection): void {
    this.#isFlushing = true;
    const bytes = this.#bytes;
    connection.flush().then(
      () => {
        this.#bytes = Math.max(0, this.#bytes - bytes);
        this.#isFlushing = false;
      },
      (err) => {
        this.#log.debug({ err }, "NATS did not confirm sent messages");
        this.#isFlushing = false;
      },
    );
  }
}
