import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { newId } from "../new-id.ts";

/**
 * An id for each payment request. Without an answer it is unknown whether the server acted, so the
 * same content is sent again under the same id.
 */
export interface IdempotencyKeys {
  keyFor(content: string): string;
  /** The request was answered. Without `refusal` it succeeded. */
  complete(content: string, refusal?: RefusalView): void;
}

/** Later the wallet has shown the outcome, and a repeated request is meant as a new one. */
const KEPT_MS = 10 * 60_000;
/**
 * The request stored under the id cannot succeed any more. Other refusals store nothing and do not
 * prove that an earlier copy failed: many come before the id is read.
 */
const FINAL: ReadonlySet<RefusalView["code"]> = new Set(["payments_unavailable", "command_id_reused"]);

/** `now` is in ms and never decreases. */
export function makeIdempotencyKeys(now: () => number): IdempotencyKeys {
  const open = new Map<string, { readonly id: string; readonly sentAt: number }>();
  return {
    keyFor(content) {
      const earlier = open.get(content);
      const id = earlier !== undefined && now() - earlier.sentAt < KEPT_MS ? earlier.id : newId();
      open.set(content, { id, sentAt: now() });
      return id;
    },
    complete(content, refusal) {
      if (refusal === undefined || FINAL.has(refusal.code)) open.delete(content);
    },
  };
}

/** Outlives the dialogs: a player without an answer may close one and try again. */
export const idempotencyKeys = makeIdempotencyKeys(() => performance.now());
