import type { IncomingMessage } from "node:http";

const longRequests = new WeakSet<IncomingMessage>();

/** Lets this request take its time to arrive. Who calls this has looked who sends it, and bounds it in another way. */
export function allowLong(request: IncomingMessage): void {
  longRequests.add(request);
}

export function isLong(request: IncomingMessage): boolean {
  return longRequests.has(request);
}
