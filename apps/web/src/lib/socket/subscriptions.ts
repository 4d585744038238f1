import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";

export interface Subscription {
  /** Answered by the whole content; sent again on every connection. */
  readonly watch: ClientFrame;
  readonly unwatch: ClientFrame;
  receive(frame: ServerFrame): void;
}

interface Subscriptions {
  subscribe(subscription: Subscription): () => void;
  requestAll(): void;
  receive(frame: ServerFrame): void;
}

export function createSubscriptions(send: (frame: ClientFrame) => boolean): Subscriptions {
  const open = new Set<Subscription>();

  return {
    subscribe(subscription) {
      open.add(subscription);
      // Every watch is answered by the whole content, so a second subscriber asks again.
      send(subscription.watch);
      return () => {
        if (!open.delete(subscription)) return;
        const isLast = ![...open].some(({ unwatch }) => unwatch.type === subscription.unwatch.type);
        if (isLast) send(subscription.unwatch);
      };
    },
    requestAll() {
      for (const { watch } of open) send(watch);
    },
    receive(frame) {
      for (const subscription of open) subscription.receive(frame);
    },
  };
}
