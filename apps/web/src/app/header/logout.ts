import { logout } from "../../lib/session/session.ts";
import { notify } from "../../ui/overlay/notify.ts";

export async function logoutPlayer(): Promise<void> {
  const answer = await logout();
  if (answer.ok) notify({ kind: "done", title: "Logged out" });
  else notify({ kind: "failed", title: "Logout failed", text: "An error occurred during logout" });
}
