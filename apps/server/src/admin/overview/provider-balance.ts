import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import { sleep } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";

export interface ProviderBalance {
  /** Null: the provider does not respond. */
  readonly kobo: number | null;
}

/** Pages reload every few seconds; not every reload queries the provider. */
const FRESH_MS = 10 * SECOND_MS;
/** The other figures do not wait for an unresponsive provider. */
const PATIENCE_MS = 3 * SECOND_MS;

/**
 * Asks for the balance at most every ten seconds, once for all callers, and waits at most three.
 */
export function openProviderBalance(
  load: () => Promise<bigint | null>,
  time: Pick<Time, "now">,
): () => Promise<ProviderBalance> {
  let last: { readonly askedAt: Instant; readonly answer: Promise<bigint | null> } | null = null;
  return async () => {
    const now = time.now();
    if (last === null || now - last.askedAt >= FRESH_MS) last = { askedAt: now, answer: load() };
    const { answer } = last;
    const patience = new AbortController();
    const kobo = await Promise.race([
      answer,
      sleep(PATIENCE_MS, null, { signal: patience.signal, ref: false }),
    ]).finally(() => patience.abort());
    return { kobo: kobo === null ? null : Number(kobo) };
  };
}
