import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect } from "react";
import { loadSession } from "../../lib/session/session.ts";

export function isAccessDenied(fault: Error | null): boolean {
  return (fault?.cause as RefusalView | undefined)?.code === "access_denied";
}

/** Whose role was taken a moment ago is shown nothing any more, from the next answer on. */
export function useAccessDenied(fault: Error | null): void {
  useEffect(() => {
    if (isAccessDenied(fault)) void loadSession();
  }, [fault]);
}
