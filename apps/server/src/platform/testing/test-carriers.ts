import type { Carrier } from "../servers/nats.ts";

export interface TestCarriers {
  /** While true every message is lost. */
  isLosing: boolean;
  /** What was sent to servers that hold a key. */
  readonly joined: readonly string[];
  open(): Carrier & { isCut: boolean; connect(): void };
}

export function makeCarriers(): TestCarriers {
  const subscribers = new Set<{
    readonly owner: { readonly isCut: boolean };
    readonly subject: string;
    readonly receive: (text: string) => void;
  }>();
  const joined: string[] = [];
  const carriers: TestCarriers = {
    isLosing: false,
    joined,
    open() {
      let connected: () => void = () => undefined;
      const carrier = {
        isCut: false,
        get isConnected() {
          return !carrier.isCut;
        },
        publish(subject: string, text: string) {
          if (carriers.isLosing || carrier.isCut) return;
          for (const { owner, subject: wanted, receive } of subscribers)
            if (owner !== carrier && wanted === subject && !owner.isCut) receive(text);
        },
        publishJoined(subject: string, text: string) {
          joined.push(text);
          carrier.publish(subject, `[${text}]`);
        },
        subscribe(subject: string, receive: (text: string) => void) {
          const one = { owner: carrier, subject, receive };
          subscribers.add(one);
          return () => void subscribers.delete(one);
        },
        onConnected(call: () => void) {
          connected = call;
        },
        connect: () => connected(),
        close: async () => undefined,
      };
      return carrier;
    },
  };
  return carriers;
}
