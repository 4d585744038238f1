import { useEffect, useRef, useState } from "react";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { playSound } from "../../../lib/sound/sound.ts";
import { isTimed, mayMove, type TableViewModel, toRemainingMs } from "../view-model.ts";
import { startLowTimeSounds } from "./low-time-sounds.ts";
import { LOW_TIME_MS } from "./ticking.ts";

const ANNOUNCED_SECONDS = [60, 30, 10] as const;

/** Sounds and announcements for the player's own low clock. Returns the latest announcement. */
export function useOwnClock(viewModel: TableViewModel): string {
  const [announcement, setAnnouncement] = useState("");
  /** Last sound by the server's clock, so that other events do not break the rhythm. */
  const soundedAt = useRef(0);
  const isRunning = mayMove(viewModel) && isTimed(viewModel);

  useEffect(() => {
    if (!isRunning || viewModel.seat === null) return;
    const now = serverClock.now();
    const remainingMs = toRemainingMs(viewModel, viewModel.seat, now);
    const timers = ANNOUNCED_SECONDS.flatMap((seconds) => {
      const inMs = remainingMs - seconds * 1_000;
      return inMs < 0 ? [] : [setTimeout(() => setAnnouncement(`${seconds} seconds left.`), inMs)];
    });
    const stopSounds = startLowTimeSounds(remainingMs - LOW_TIME_MS, soundedAt.current - now, () => {
      soundedAt.current = serverClock.now();
      playSound("low_time");
    });
    return () => {
      for (const timer of timers) clearTimeout(timer);
      stopSounds();
    };
  }, [viewModel, isRunning]);

  return announcement;
}
