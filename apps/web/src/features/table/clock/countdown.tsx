import { useCallback } from "react";
import { toCountdownTick, toMinutesTick } from "./ticking.ts";
import { TickingText } from "./ticking-text.tsx";

interface CountdownProps {
  /** ms since 1970 by the server's clock. */
  readonly until: number;
  readonly unit: "seconds" | "minutes";
}

/** "0:43" or "28 min". */
export function Countdown({ until, unit }: CountdownProps) {
  const tick = useCallback(
    (now: number) => (unit === "minutes" ? toMinutesTick(until, now) : toCountdownTick(until, now)),
    [until, unit],
  );
  return <TickingText tick={tick} />;
}
