import type { RefusalView } from "@holo/protocol/refusals.ts";
import { useRef } from "react";

interface ActId {
  /** The id under which this content is asked for. */
  readonly take: (content: string) => string;
  /** The act was answered: what is asked for next is something new. */
  readonly settle: (refusal?: RefusalView) => void;
}

/**
 * An id for each payment a player asks for. Where no answer came it is unknown whether the server did it: the same again goes under the same id, and is
 * never done twice.
 */
export function useActId(): ActId {
  const open = useRef<{ readonly content: string; readonly id: string } | null>(null);
  return {
    take(content) {
      if (open.current?.content !== content) open.current = { content, id: crypto.randomUUID() };
      return open.current.id;
    },
    settle(refusal) {
      if (refusal?.code !== "unavailable" && refusal?.code !== "something_went_wrong") open.current = null;
    },
  };
}
