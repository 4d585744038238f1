import { formatMinutes } from "../../../ui/text/format-minutes.ts";

/** A text and the ms until it changes; null for never. */
export interface Tick {
  readonly text: string;
  readonly nextMs: number | null;
}

/** Below this a clock is low (specification 4). */
export const LOW_TIME_MS = 60_000;
const TENTHS_UNDER_MS = 10_000;
const OFFLINE_AFTER_MS = 5_000;
/** Added to the delay, so that the text has certainly changed. */
const MARGIN_MS = 1;

/** "6:48", "0:09.4" under ten seconds, "0:00" at the end. Rounded down. */
export function formatClock(remainingMs: number): string {
  const ms = Math.max(0, Math.floor(remainingMs));
  const seconds = Math.floor(ms / 1_000);
  const text = formatMinutes(seconds);
  return ms > 0 && ms < TENTHS_UNDER_MS ? `${text}.${Math.floor((ms % 1_000) / 100)}` : text;
}

export function toClockTick(remainingMs: number, isRunning: boolean): Tick {
  const stepMs = remainingMs < TENTHS_UNDER_MS ? 100 : 1_000;
  const isOver = remainingMs <= 0;
  return {
    text: formatClock(remainingMs),
    nextMs: isRunning && !isOver ? (remainingMs % stepMs) + MARGIN_MS : null,
  };
}

/** "0:43" until `at`, rounded up. */
export function toCountdownTick(at: number, now: number): Tick {
  const leftMs = Math.max(0, at - now);
  const seconds = Math.ceil(leftMs / 1_000);
  return { text: formatMinutes(seconds), nextMs: leftMs === 0 ? null : leftMs - (seconds - 1) * 1_000 + MARGIN_MS };
}

/** "28 min" until `at`; the last minute in seconds. */
export function toMinutesTick(at: number, now: number): Tick {
  const leftMs = Math.max(0, at - now);
  if (leftMs <= 60_000) {
    const { text, nextMs } = toCountdownTick(at, now);
    return { text, nextMs };
  }
  const minutes = Math.ceil(leftMs / 60_000);
  return { text: `${minutes} min`, nextMs: leftMs - (minutes - 1) * 60_000 + MARGIN_MS };
}

/** "Offline for 0:23" since `at`. A short absence, such as a reload, is only "Away". */
export function toAwayTick(at: number, now: number): Tick {
  const goneMs = Math.max(0, now - at);
  if (goneMs < OFFLINE_AFTER_MS) return { text: "Away", nextMs: OFFLINE_AFTER_MS - goneMs + MARGIN_MS };
  const { text, nextMs } = toElapsedTick(at, now);
  return { text: `Offline for ${text}`, nextMs };
}

/** "0:23" since `at`, rounded down. */
export function toElapsedTick(at: number, now: number): Tick {
  const elapsedMs = Math.max(0, now - at);
  return { text: formatMinutes(Math.floor(elapsedMs / 1_000)), nextMs: 1_000 - (elapsedMs % 1_000) + MARGIN_MS };
}
