import type { NatsConnection } from "@nats-io/transport-node";
import type { Log } from "../log.ts";

interface Subscription {
  readonly subject: string;
  readonly receive: (text: string) => void;
  /** Null without a connection. */
  end: (() => void) | null;
}

/** Subscriptions that outlive a connection. */
export class NatsSubscriptions {
  readonly #log: Log;
  readonly #all = new Set<Subscription>();
  #connection: NatsConnection | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Returns the function that ends the subscription. */
  add(subject: string, receive: (text: string) => void): () => void {
    const one: Subscription = { subject, receive, end: null };
    this.#all.add(one);
    this.#start(one);
    return () => {
      this.#all.delete(one);
      one.end?.();
      one.end = null;
    };
  }

  connected(connection: NatsConnection): void {
    this.#connection = connection;
    for (const one of this.#all) this.#start(one);
  }

  disconnected(): void {
    this.#connection = null;
    for (const one of this.#all) one.end = null;
  }

  #start(one: Subscription): void {
    const subscription = this.#connection?.subscribe(one.subject, {
      callback: (err, message) => {
        if (err !== null) return this.#log.warn({ err }, "a NATS subscription failed");
        try {
          one.receive(message.string());
        } catch (error) {
          this.#log.error({ err: error, subject: one.subject }, "a message from another server could not be handled");
        }
      },
    });
    if (subscription !== undefined) one.end = () => subscription.unsubscribe();
  }
}
