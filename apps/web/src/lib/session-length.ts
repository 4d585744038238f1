import { MINUTE_MS } from "@holo/kernel/instant.ts";

/** A pause as long as this begins a new session. */
const PAUSE_MS = 15 * MINUTE_MS;

/** A player's time at this page, in ms since 1970. */
export interface SessionLength {
  readonly startedAt: number;
  readonly seenAt: number;
  readonly remindedAt: number;
}

/** The session with one more look at it, at `now`: the same one, or a new one after a pause. */
export function toSeen(before: SessionLength | null, now: number): SessionLength {
  const isSame = before !== null && now - before.seenAt < PAUSE_MS && before.startedAt <= now;
  return isSame ? { ...before, seenAt: now } : { startedAt: now, seenAt: now, remindedAt: now };
}

/** Whether so many minutes have passed since the session began or its last reminder. */
export function isReminderDue({ remindedAt }: SessionLength, everyMinutes: number, now: number): boolean {
  return now - remindedAt >= everyMinutes * MINUTE_MS;
}
