import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";

/** Tables ask more often. Without one, a player waits for an opponent or a payment. */
const PROBE_QUIET_AFTER_MS = 20_000;

/** Asks a quiet connection for an answer, so that one that died in silence is noticed. */
export function createProbe(send: (frame: ClientFrame) => boolean, now: () => number) {
  let receivedAt = now();
  let sentAt: number | null = null;

  function probe(): void {
    if (sentAt !== null) return;
    sentAt = now();
    if (!send({ type: "probe" })) sentAt = null;
  }

  return {
    probe,
    probeIfQuiet() {
      if (now() - receivedAt >= PROBE_QUIET_AFTER_MS) probe();
    },
    /** Any frame shows that the connection works. */
    received() {
      receivedAt = now();
      sentAt = null;
    },
    onDisconnected() {
      sentAt = null;
    },
    unansweredSince: () => sentAt,
  };
}
