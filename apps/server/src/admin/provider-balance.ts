import { setTimeout as sleep } from "node:timers/promises";
import { type Instant, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../platform/time.ts";

/** What the provider holds for us, as it said last. */
export interface ProviderBalance {
  /** Null: it does not say at the moment. */
  readonly kobo: number | null;
  readonly askedAt: Instant;
}

/** Pages look again every few seconds; the provider need not be asked by each. */
const FRESH_MS = 10 * SECOND_MS;
/** The other figures are not to wait for a provider that is down. */
const PATIENCE_MS = 3 * SECOND_MS;

/** Asks for the balance at most every ten seconds, once for all who want to know, and waits for no answer longer than three. */
export function openProviderBalance(
  load: () => Promise<bigint | null>,
  time: Pick<Time, "now">,
): () => Promise<ProviderBalance> {
  let last: { readonly askedAt: Instant; readonly answer: Promise<bigint | null> } | null = null;
  return async () => {
    const now = time.now();
    if (last === null || now - last.askedAt >= FRESH_MS) last = { askedAt: now, answer: load() };
    const { askedAt, answer } = last;
    const patience = new AbortController();
    const kobo = await Promise.race([
      answer,
      sleep(PATIENCE_MS, null, { signal: patience.signal, ref: false }),
    ]).finally(() => patience.abort());
    return { kobo: kobo === null ? null : Number(kobo), askedAt };
  };
}
