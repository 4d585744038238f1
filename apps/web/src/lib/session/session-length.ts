import { MINUTE_MS } from "@holo/kernel/instant.ts";

/** A break this long begins a new session. */
const PAUSE_MS = 15 * MINUTE_MS;

/** One stay of a player on this site in this browser; times in ms since 1970. */
export interface SessionLength {
  readonly playerId: string;
  readonly startedAt: number;
  /** When a page was last visible. */
  readonly seenAt: number;
  /** When the player last acknowledged a reminder; initially the start. */
  readonly remindedAt: number;
}

/** The session after one more visit at `now`; a new one after a break or for another player. */
export function toSeen(before: SessionLength | null, playerId: string, now: number): SessionLength {
  const isSame =
    before !== null && before.playerId === playerId && now - before.seenAt < PAUSE_MS && before.startedAt <= now;
  return isSame ? { ...before, seenAt: now } : { playerId, startedAt: now, seenAt: now, remindedAt: now };
}

/** When the next reminder is due. */
export function toReminderAt({ remindedAt }: SessionLength, everyMinutes: number): number {
  return remindedAt + everyMinutes * MINUTE_MS;
}

/** "45 minutes", "1 hour", "2 hours 5 minutes". */
export function formatLength(lengthMs: number): string {
  const minutes = Math.floor(lengthMs / MINUTE_MS);
  const parts = [toText(Math.floor(minutes / 60), "hour"), toText(minutes % 60, "minute")];
  return parts.filter((part) => part !== null).join(" ") || "less than a minute";
}

function toText(count: number, unit: string): string | null {
  if (count === 0) return null;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
