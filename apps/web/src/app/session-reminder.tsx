import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { useEffect } from "react";
import { callApi } from "../lib/api.ts";
import { useMaybeSession } from "../lib/session.ts";
import { isReminderDue, type SessionLength, toSeen } from "../lib/session-length.ts";
import { notify } from "../ui/notify.ts";

const KEY = "holo.session-length";
const LOOK_EVERY_MS = MINUTE_MS;

/** Tells players how long they have been here, as often as they asked for, wherever they are in the app. */
export function SessionReminder() {
  const playerId = useMaybeSession()?.player?.id ?? null;

  useEffect(() => {
    if (playerId === null) return;
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [playerId]);

  return null;
}

/** The server is asked only once the shortest reminder there is may be due. */
const SHORTEST_MINUTES = 5;

function look(): void {
  const now = Date.now();
  const session = toSeen(readLength(), now);
  saveLength(session);
  if (isReminderDue(session, SHORTEST_MINUTES, now)) void remind(session, now);
}

async function remind(session: SessionLength, now: number): Promise<void> {
  const answer = await callApi("limits", {});
  const everyMinutes = answer.ok ? answer.value.session.value : null;
  if (everyMinutes === null || !isReminderDue(session, everyMinutes, now)) return;
  saveLength({ ...session, remindedAt: now });
  const minutes = Math.floor((now - session.startedAt) / MINUTE_MS);
  notify({ kind: "notice", title: "Time for a break?", text: `You have been here for ${minutes} minutes.` });
}

function readLength(): SessionLength | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as SessionLength);
}

function saveLength(session: SessionLength): void {
  sessionStorage.setItem(KEY, JSON.stringify(session));
}
