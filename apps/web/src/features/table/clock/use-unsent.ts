import { useEffect, useState } from "react";
import { useConnection } from "../../../lib/socket/socket.ts";
import { isCutOff } from "../status/turn-text.ts";
import type { PendingMove } from "../store/table-view.ts";
import type { TableViewModel } from "../view-model.ts";

/** Several round trips on a slow connection. A move without an answer by then may be lost. */
const LATE_MS = 3_000;

/** Whether the drawn move may not have reached the server, where the clock still runs. */
export function useUnsent({ shown: { pending } }: TableViewModel): boolean {
  const connection = useConnection();
  const [late, setLate] = useState<PendingMove | null>(null);

  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => setLate(pending), LATE_MS);
    return () => clearTimeout(timer);
  }, [pending]);

  return pending !== null && (late === pending || isCutOff(connection));
}
