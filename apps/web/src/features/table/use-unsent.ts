import { useEffect, useState } from "react";
import { useConnection } from "../../lib/socket.ts";
import type { PendingMove } from "../../lib/table-store.ts";
import type { Scene } from "./scene.ts";
import { isCutOff } from "./turn-text.ts";

/** Some journeys there and back on the slowest line that is played on: what was not acknowledged by then may not have arrived. */
const LATE_MS = 3_000;

/** Whether the move that is drawn may not have reached the server: then the player's own clock goes on there. */
export function useUnsent({ shown: { pending } }: Scene): boolean {
  const connection = useConnection();
  const [late, setLate] = useState<PendingMove | null>(null);

  useEffect(() => {
    if (pending === null) return;
    const timer = setTimeout(() => setLate(pending), LATE_MS);
    return () => clearTimeout(timer);
  }, [pending]);

  return pending !== null && (late === pending || isCutOff(connection));
}
