import { isIPv6 } from "node:net";

/** How this machine reaches a server that listens on `host` (null: all addresses), for a URL. */
export function toReachableHost(host: string | null): string {
  if (host === null || host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return isIPv6(host) ? `[${host}]` : host;
}

/** Whether a connection's other end is on this machine too. */
export function isOwnMachine(remoteAddress: string | undefined, localAddress: string | undefined): boolean {
  if (remoteAddress === undefined) return false;
  return remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
}
