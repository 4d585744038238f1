import { loadSession } from "../lib/session.ts";
import { setConnection } from "./connection.ts";

const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 15_000;

/** Learns who is at the page, and goes on asking while the server cannot be reached. */
export function startLive(): void {
  void learnSession(RETRY_MIN_MS);
}

async function learnSession(retryMs: number): Promise<void> {
  if (await loadSession()) return setConnection("fine");
  setConnection("lost");
  setTimeout(() => void learnSession(Math.min(retryMs * 2, RETRY_MAX_MS)), retryMs);
}
