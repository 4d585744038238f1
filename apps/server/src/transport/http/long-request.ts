import type { IncomingMessage } from "node:http";

const longRequests = new WeakSet<IncomingMessage>();

/**
 * Exempts a request from the timeout. The caller has authorized the sender and sets another limit.
 */
export function allowLong(request: IncomingMessage): void {
  longRequests.add(request);
}

export function isLong(request: IncomingMessage): boolean {
  return longRequests.has(request);
}
