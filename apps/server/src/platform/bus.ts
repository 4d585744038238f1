import type { Log } from "./log.ts";
import type { Links } from "./servers/links.ts";

/** Each topic's name with its message type. Every module declares its own; wiring joins them. */
type Topics = Record<string, unknown>;

export interface Bus<Messages extends Topics> {
  /** Reaches subscribers on this server, and on the others if the topic is shared. */
  publish<Topic extends keyof Messages & string>(topic: Topic, message: Messages[Topic]): void;
  /** Reaches subscribers on this server only. */
  publishHere<Topic extends keyof Messages & string>(topic: Topic, message: Messages[Topic]): void;
  /** Returns the unsubscribe function. Subscribers are called in the order of subscription. */
  subscribe<Topic extends keyof Messages & string>(
    topic: Topic,
    receive: (message: Messages[Topic]) => void,
  ): () => void;
}

interface SharedTopics<Messages extends Topics> {
  readonly topics: readonly (keyof Messages & string)[];
  readonly links: Pick<Links, "broadcast" | "onMessage">;
}

/**
 * `publish` calls every subscriber of this server before it returns. A failing subscriber is logged
 * and does not stop the others.
 */
export function openBus<Messages extends Topics>(
  log: Log,
  shared: SharedTopics<Messages> | null = null,
): Bus<Messages> {
  const subscribers: { [Topic in keyof Messages]?: Set<(message: Messages[Topic]) => void> } = {};
  const isShared = new Set<string>(shared?.topics);

  function publishHere<Topic extends keyof Messages & string>(topic: Topic, message: Messages[Topic]): void {
    for (const receive of subscribers[topic] ?? []) {
      try {
        receive(message);
      } catch (err) {
        log.error({ err, topic }, "a subscriber failed");
      }
    }
  }

  for (const topic of shared?.topics ?? [])
    shared?.links.onMessage(topic, (message: Messages[typeof topic]) => publishHere(topic, message));

  return {
    publishHere,
    publish(topic, message) {
      publishHere(topic, message);
      if (isShared.has(topic)) shared?.links.broadcast(topic, message);
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
