import { useCallback, useLayoutEffect, useRef } from "react";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { type Tick, toCountdownTick, toMinutesTick } from "./ticking.ts";

interface TickingTextProps {
  /** The text at a time of the server's clock. */
  readonly tick: (now: number) => Tick;
  readonly className?: string;
  readonly onWritten?: (element: HTMLElement, now: number) => void;
}

/** A text that changes with time. It is written directly into the DOM, without rendering. */
export function TickingText({ tick, className, onWritten }: TickingTextProps) {
  const element = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    let timer = 0;
    let frame = 0;
    function write(): void {
      const now = serverClock.now();
      const { text, nextMs } = tick(now);
      const { current } = element;
      if (current !== null && current.textContent !== text) current.textContent = text;
      if (current !== null) onWritten?.(current, now);
      if (nextMs !== null) timer = window.setTimeout(() => (frame = requestAnimationFrame(write)), nextMs);
    }
    write();
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [tick, onWritten]);

  return <span ref={element} className={className} translate="no" />;
}

interface CountdownProps {
  /** ms since 1970 by the server's clock. */
  readonly until: number;
  readonly unit: "seconds" | "minutes";
}

export function Countdown({ until, unit }: CountdownProps) {
  const tick = useCallback(
    (now: number) => (unit === "minutes" ? toMinutesTick(until, now) : toCountdownTick(until, now)),
    [until, unit],
  );
  return <TickingText tick={tick} />;
}
