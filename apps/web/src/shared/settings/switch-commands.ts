import { saveSwitchOnDevice } from "../../lib/preferences/switches.ts";
import { currentSession, saveSettings } from "../../lib/session/session.ts";
import { notify } from "../../ui/overlay/notify.ts";

export async function switchNotifications(on: boolean): Promise<void> {
  saveSwitchOnDevice("notifications", on);
  await saveSwitch({ notificationsEnabled: on });
}

/** Saved on the profile, for visitors on the device. */
export async function switchSound(on: boolean): Promise<void> {
  saveSwitchOnDevice("sound", on);
  if (currentSession()?.player != null) await saveSwitch({ soundEnabled: on });
}

export async function saveSwitch(change: Parameters<typeof saveSettings>[0]): Promise<void> {
  const answer = await saveSettings(change);
  if (!answer.ok) notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
}
