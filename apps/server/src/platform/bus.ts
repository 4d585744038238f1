import type { Log } from "./log.ts";

/** What may be said on the bus: each topic's name with its message. A room declares its own and the wiring joins them. */
export type Topics = Record<string, unknown>;

/**
 * Fan-out between the parts of the server. A message is a hint, never the truth: that is in the database, and whoever missed a
 * hint finds it there. This is the seam behind which other nodes are reached.
 */
export interface Bus<Messages extends Topics> {
  publish<Topic extends keyof Messages & string>(topic: Topic, message: Messages[Topic]): void;
  /** Returns what ends the subscription. Subscribers are called in the order in which they came. */
  subscribe<Topic extends keyof Messages & string>(topic: Topic, hear: (message: Messages[Topic]) => void): () => void;
}

/** A bus within this process: `publish` calls every subscriber before it returns; one that fails is logged, the others still hear. */
export function openBus<Messages extends Topics>(log: Log): Bus<Messages> {
  const subscribers = new Map<string, Set<(message: never) => void>>();
  return {
    publish(topic, message) {
      for (const hear of subscribers.get(topic) ?? []) {
        try {
          hear(message as never);
        } catch (err) {
          log.error({ err, topic }, "a subscriber failed");
        }
      }
    },
    subscribe(topic, hear) {
      const heard = subscribers.get(topic) ?? new Set();
      subscribers.set(topic, heard);
      heard.add(hear);
      return () => {
        heard.delete(hear);
        if (heard.size === 0) subscribers.delete(topic);
      };
    },
  };
}
