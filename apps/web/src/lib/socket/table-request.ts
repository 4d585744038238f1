import type { WatchFrame } from "@holo/protocol/socket/frames.ts";
import { PROBE_AFTER_MS, RESEND_AFTER_MS } from "./connection.ts";

/** When a table was requested, and when it last sent something. */
export function createTableRequest(send: (frame: WatchFrame) => boolean, now: () => number) {
  /** The first `watch` without an answer; null if none. */
  let requestedAt: number | null = null;
  let lastRequestedAt = now();
  let receivedAt = now();

  return {
    send(frame: WatchFrame) {
      if (!send(frame)) return;
      lastRequestedAt = now();
      requestedAt ??= lastRequestedAt;
    },
    /** No answer will come, or it was that there is no table. */
    ended() {
      requestedAt = null;
    },
    answered() {
      requestedAt = null;
      receivedAt = now();
    },
    received() {
      receivedAt = now();
    },
    /** The table has been quiet for long, or an answer is late. */
    isDue: () =>
      requestedAt === null ? now() - receivedAt >= PROBE_AFTER_MS : now() - lastRequestedAt >= RESEND_AFTER_MS,
    unansweredSince: () => requestedAt,
  };
}
