import { Suspense } from "react";
import { latePart } from "../lib/late-part.ts";
import { useMaybeSession } from "../lib/session.ts";
import { useReachable } from "./reachable.ts";
import "./connection-banner.css";

const SocketState = latePart(() => import("./socket-state.tsx"));

/** Says that the page is cut off, as long as it is: in the header's free room, so that nothing below moves under a finger. */
export function ConnectionBanner() {
  const reachable = useReachable();
  const session = useMaybeSession();
  const isPlayer = session !== null && session.player !== null;
  return (
    <div className="connection-banner" role="status">
      {!reachable && !isPlayer && <p>The arena cannot be reached. Trying again...</p>}
      {isPlayer && (
        <Suspense>
          <SocketState />
        </Suspense>
      )}
    </div>
  );
}
