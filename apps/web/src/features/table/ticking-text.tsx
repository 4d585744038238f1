import { useLayoutEffect, useRef } from "react";
import { serverClock } from "../../lib/socket.ts";
import type { Tick } from "./ticking.ts";

interface TickingTextProps {
  /** What to show at a moment of the server's clock. */
  readonly tick: (now: number) => Tick;
  readonly className?: string;
  /** Called with the element whenever a text is written. */
  readonly onWritten?: (element: HTMLElement, now: number) => void;
}

/** A text that follows the time by itself: written straight into the page, at the moments it changes, without rendering anything. */
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

  return <span ref={element} className={className} />;
}
