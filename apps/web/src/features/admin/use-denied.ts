import type { RefusalView } from "@holo/protocol/refusals.ts";
import { useEffect } from "react";
import { loadSession } from "../../lib/session.ts";

export function isDenied(fault: Error | null): boolean {
  return (fault?.cause as RefusalView | undefined)?.code === "access_denied";
}

/** Whose role was taken a moment ago is shown nothing any more, from the next answer on. */
export function useDenied(fault: Error | null): void {
  useEffect(() => {
    if (isDenied(fault)) void loadSession();
  }, [fault]);
}
