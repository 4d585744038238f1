import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { useEffect } from "react";
import { toLimitsAt } from "../../lib/session/limits.ts";
import { currentSession, useMaybeSession } from "../../lib/session/session.ts";
import { dismissNotice, notify, onNoticesChanged, shownNotices } from "../../ui/overlay/notify.ts";

/** A break this long begins a new session. */
const SESSION_GAP_MS = 15 * MINUTE_MS;

/** One stay of a player on this site in this browser; times in ms since 1970. */
interface SessionLength {
  readonly playerId: string;
  readonly startedAt: number;
  readonly seenAt: number;
  readonly remindedAt: number;
}

/** The session after a visit at `now`. A break or another player begins a new one. */
export function continueSession(before: SessionLength | null, playerId: string, now: number): SessionLength {
  const isSame =
    before !== null && before.playerId === playerId && now - before.seenAt < SESSION_GAP_MS && before.startedAt <= now;
  return isSame ? { ...before, seenAt: now } : { playerId, startedAt: now, seenAt: now, remindedAt: now };
}

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

const KEY = "holo.session-length";
const CHECK_EVERY_MS = MINUTE_MS;

/**
 * Reminds players of their session length at the interval they set. It works without the server.
 */
export function SessionReminder() {
  const session = useMaybeSession();
  const playerId = session?.player?.id ?? null;
  const { value = null, next = null } = session?.limits?.session ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed limit restarts it
  useEffect(() => (playerId === null ? undefined : remind(playerId)), [playerId, value, next?.at]);
  return null;
}

function remind(playerId: string): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let shown: number | null = null;

  function check(): void {
    clearTimeout(timer);
    const now = Date.now();
    const everyMinutes = findEveryMinutes(now);
    let reminderAt = Number.POSITIVE_INFINITY;
    if (document.visibilityState === "visible") {
      const length = continueSession(readLength(), playerId, now);
      saveLength(length);
      if (everyMinutes !== null) reminderAt = toReminderAt(length, everyMinutes);
      if (reminderAt > now) hideReminder();
      else shown ??= show(length, now);
    }
    timer = setTimeout(check, Math.min(CHECK_EVERY_MS, Math.max(reminderAt - now, 0) || CHECK_EVERY_MS));
  }

  /** Without an acknowledgement a reload shows the reminder again. */
  function saveAcknowledgement(): void {
    if (shown === null || shownNotices().some(({ id }) => id === shown)) return;
    shown = null;
    const now = Date.now();
    saveLength({ ...continueSession(readLength(), playerId, now), remindedAt: now });
  }

  function handleStorage({ key }: StorageEvent): void {
    const now = Date.now();
    const length = readLength();
    const everyMinutes = findEveryMinutes(now);
    if (key === KEY && length !== null && everyMinutes !== null && toReminderAt(length, everyMinutes) > now)
      hideReminder();
  }

  function hideReminder(): void {
    const id = shown;
    shown = null;
    if (id !== null) dismissNotice(id);
  }

  const unsubscribe = onNoticesChanged(saveAcknowledgement);
  addEventListener("storage", handleStorage);
  document.addEventListener("visibilitychange", check);
  check();
  return () => {
    unsubscribe();
    removeEventListener("storage", handleStorage);
    document.removeEventListener("visibilitychange", check);
    clearTimeout(timer);
    hideReminder();
  };
}

function findEveryMinutes(now: number): number | null {
  const limits = currentSession()?.limits ?? null;
  return limits === null ? null : toLimitsAt(limits, now).session.value;
}

function show({ startedAt }: SessionLength, now: number): number {
  const text = `You've been here for ${formatLength(now - startedAt)}. You asked us to remind you.`;
  return notify({ kind: "notice", title: "Time for a break?", text, stays: true });
}

/** Shared by all tabs of this browser, so that a reload or a new tab does not reset it. */
function readLength(): SessionLength | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text) as SessionLength);
  } catch {
    // No storage: the page counts from its load.
    return unsavedLength;
  }
}

let unsavedLength: SessionLength | null = null;

function saveLength(length: SessionLength): void {
  unsavedLength = length;
  try {
    localStorage.setItem(KEY, JSON.stringify(length));
  } catch {}
}
