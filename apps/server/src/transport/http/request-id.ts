import type { IncomingMessage } from "node:http";
import { randomUUID } from "../../platform/runtime.ts";
import { isTrustedProxy, type Proxies } from "./client-address.ts";

export const REQUEST_ID = "x-request-id";
/** What proxies send: UUIDs, hex, base64. Nothing that could forge a log line or a header. */
const VALID = /^[\w.:=+/-]{8,128}$/;

/** The id that a trusted proxy has given the request, else a new one. */
export function toRequestId(
  request: Pick<IncomingMessage, "headers" | "socket"> | undefined,
  proxies: Proxies,
): string {
  const given = request?.headers[REQUEST_ID];
  const isAccepted =
    typeof given === "string" && VALID.test(given) && isTrustedProxy(request?.socket.remoteAddress, proxies);
  return isAccepted ? given : randomUUID();
}
