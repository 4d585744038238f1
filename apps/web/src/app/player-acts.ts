import { logout, saveSettings } from "../lib/session.ts";
import { notify } from "../ui/notify.ts";

export async function logoutPlayer(): Promise<void> {
  const answer = await logout();
  if (answer.ok) notify({ kind: "done", title: "Logged out" });
  else notify({ kind: "failed", title: "Logout failed", text: "An error occurred during logout" });
}

export async function toggleNotifications(on: boolean): Promise<void> {
  const answer = await saveSettings({ notificationsEnabled: on });
  if (!answer.ok) notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
}
