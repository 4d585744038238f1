/** A text that changes with time, and in how many ms it next does; null for never. */
export interface Tick {
  readonly text: string;
  readonly nextMs: number | null;
}

const TENTHS_UNDER_MS = 10_000;
const OFFLINE_AFTER_MS = 5_000;
/** So much past the moment of change that the new text is sure to be another. */
const PAST_MS = 1;

/** "6:48", tenths under ten seconds: "0:09.4", and "0:00" when it is over. Rounded down: no time is shown that is not there. */
export function formatClock(remainingMs: number): string {
  const ms = Math.max(0, Math.floor(remainingMs));
  const seconds = Math.floor(ms / 1_000);
  const text = formatMinutes(seconds);
  return ms > 0 && ms < TENTHS_UNDER_MS ? `${text}.${Math.floor((ms % 1_000) / 100)}` : text;
}

/** A clock that runs (or stands). */
export function toClockTick(remainingMs: number, isRunning: boolean): Tick {
  const stepMs = remainingMs < TENTHS_UNDER_MS ? 100 : 1_000;
  const isOver = remainingMs <= 0;
  return {
    text: formatClock(remainingMs),
    nextMs: isRunning && !isOver ? (remainingMs % stepMs) + PAST_MS : null,
  };
}

/** "0:43" until `at`, rounded up as countdowns are. */
export function toCountdownTick(at: number, now: number): Tick {
  const leftMs = Math.max(0, at - now);
  const seconds = Math.ceil(leftMs / 1_000);
  return { text: formatMinutes(seconds), nextMs: leftMs === 0 ? null : leftMs - (seconds - 1) * 1_000 + PAST_MS };
}

/** "28 min" until `at`; the last minute in seconds. */
export function toMinutesTick(at: number, now: number): Tick {
  const leftMs = Math.max(0, at - now);
  if (leftMs <= 60_000) {
    const { text, nextMs } = toCountdownTick(at, now);
    return { text, nextMs };
  }
  const minutes = Math.ceil(leftMs / 60_000);
  return { text: `${minutes} min`, nextMs: leftMs - (minutes - 1) * 60_000 + PAST_MS };
}

/** "Offline for 0:23" since `at`. Who has only just come or gone, as over a reload, may be back in a moment and is not called so. */
export function toAwayTick(at: number, now: number): Tick {
  const goneMs = Math.max(0, now - at);
  if (goneMs < OFFLINE_AFTER_MS) return { text: "Connecting...", nextMs: OFFLINE_AFTER_MS - goneMs + PAST_MS };
  const text = `Offline for ${formatMinutes(Math.floor(goneMs / 1_000))}`;
  return { text, nextMs: 1_000 - (goneMs % 1_000) + PAST_MS };
}

function formatMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
