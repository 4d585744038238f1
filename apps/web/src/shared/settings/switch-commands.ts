import { requestNotificationAccess } from "../../lib/preferences/browser-notification.ts";
import { keepSwitch } from "../../lib/preferences/switches.ts";
import { currentSession, saveSettings } from "../../lib/session/session.ts";
import { notify } from "../../ui/overlay/notify.ts";

/** Kept on the profile; whoever switches notifications on is asked whether the browser may show them too. */
export async function switchNotifications(on: boolean): Promise<void> {
  keepSwitch("notifications", on);
  await saveSwitch({ notificationsEnabled: on });
  if (on) await requestNotificationAccess();
}

/** Kept on the profile, and on the device for visitors. */
export async function switchSound(on: boolean): Promise<void> {
  keepSwitch("sound", on);
  if (currentSession()?.player != null) await saveSwitch({ soundEnabled: on });
}

export async function saveSwitch(change: Parameters<typeof saveSettings>[0]): Promise<void> {
  const answer = await saveSettings(change);
  if (!answer.ok) notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
}
