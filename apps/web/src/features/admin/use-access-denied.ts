import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect } from "react";
import { loadSession } from "../../lib/session/session.ts";

export function isAccessDenied(fault: Error | null): boolean {
  return (fault?.cause as RefusalView | undefined)?.code === "access_denied";
}

/** Reloads the session after a refusal, since the role may have been revoked. */
export function useAccessDenied(fault: Error | null): void {
  useEffect(() => {
    if (isAccessDenied(fault)) void loadSession();
  }, [fault]);
}
