import type { Log } from "./log.ts";

/** Each topic's name with its message type. Every module declares its own; `main.ts` joins them. */
type Topics = Record<string, unknown>;

/**
 * Publish/subscribe within the server. A message is a hint: the database holds the truth, so a lost
 * message costs only time. Other nodes will be reached through this interface.
 */
export interface Bus<Messages extends Topics> {
  publish<Topic extends keyof Messages & string>(topic: Topic, message: Messages[Topic]): void;
  /** Returns the unsubscribe function. Subscribers are called in the order of subscription. */
  subscribe<Topic extends keyof Messages & string>(
    topic: Topic,
    receive: (message: Messages[Topic]) => void,
  ): () => void;
}

/**
 * An in-process bus: `publish` calls every subscriber before it returns. A failing subscriber is
 * logged and does not stop the others.
 */
export function openBus<Messages extends Topics>(log: Log): Bus<Messages> {
  const subscribers: { [Topic in keyof Messages]?: Set<(message: Messages[Topic]) => void> } = {};
  return {
    publish(topic, message) {
      for (const receive of subscribers[topic] ?? []) {
        try {
          receive(message);
        } catch (err) {
          log.error({ err, topic }, "a subscriber failed");
        }
      }
    },
    subscribe(topic, receive) {
      const receivers = subscribers[topic] ?? new Set();
      subscribers[topic] = receivers;
      receivers.add(receive);
      return () => {
        receivers.delete(receive);
        if (receivers.size === 0) delete subscribers[topic];
      };
    },
  };
}
