import { useEffect, useRef, useState } from "react";
import { serverClock } from "../../lib/socket.ts";
import { playSound } from "../../lib/sound.ts";
import { LOW_TIME_MS } from "./clock.tsx";
import { isTimed, mayMove, type Scene, toRemainingMs } from "./scene.ts";

/** Specification 4: under a minute a sound every two seconds. */
const LOW_SOUND_EVERY_MS = 2_000;
/** Said once each, in seconds. */
const SPOKEN_SECONDS = [60, 30, 10] as const;

/** The sounds of one's own clock running low, and what is read out of it. Returns the newest words. */
export function useOwnClock(scene: Scene): string {
  const [spoken, setSpoken] = useState("");
  /** When the clock was last heard, by the server's time: whatever else happens at the table, it keeps its rhythm. */
  const soundedAt = useRef(0);
  const isRunning = mayMove(scene) && isTimed(scene);

  useEffect(() => {
    if (!isRunning || scene.seat === null) return;
    const now = serverClock.now();
    const remainingMs = toRemainingMs(scene, scene.seat, now);
    const timers = SPOKEN_SECONDS.flatMap((seconds) => {
      const inMs = remainingMs - seconds * 1_000;
      return inMs < 0 ? [] : [setTimeout(() => setSpoken(`${seconds} seconds left.`), inMs)];
    });
    let ticking: ReturnType<typeof setInterval> | undefined;
    function tick(): void {
      soundedAt.current = serverClock.now();
      playSound("low_time");
    }
    timers.push(
      setTimeout(
        () => {
          tick();
          ticking = setInterval(tick, LOW_SOUND_EVERY_MS);
        },
        Math.max(0, remainingMs - LOW_TIME_MS, soundedAt.current + LOW_SOUND_EVERY_MS - now),
      ),
    );
    return () => {
      for (const timer of timers) clearTimeout(timer);
      clearInterval(ticking);
    };
  }, [scene, isRunning]);

  return spoken;
}
