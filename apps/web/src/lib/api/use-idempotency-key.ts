import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useRef } from "react";

interface IdempotencyKey {
  /** The key to send this content under. */
  readonly keyFor: (content: string) => string;
  /** The request was answered, so the next one gets a new key. */
  readonly complete: (refusal?: RefusalView) => void;
}

/**
 * An id for each payment request. Without an answer it is unknown whether the server acted, so the
 * same content is sent again under the same id and is never carried out twice.
 */
export function useIdempotencyKey(): IdempotencyKey {
  const open = useRef<{ readonly content: string; readonly id: string } | null>(null);
  return {
    keyFor(content) {
      if (open.current?.content !== content) open.current = { content, id: crypto.randomUUID() };
      return open.current.id;
    },
    complete(refusal) {
      if (refusal?.code !== "unavailable" && refusal?.code !== "something_went_wrong") open.current = null;
    },
  };
}
