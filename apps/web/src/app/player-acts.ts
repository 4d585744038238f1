import { logout } from "../lib/session.ts";
import { notify } from "../ui/notify.ts";

export async function logoutPlayer(): Promise<void> {
  const answer = await logout();
  if (answer.ok) notify({ kind: "done", title: "Logged out" });
  else notify({ kind: "failed", title: "Logout failed", text: "An error occurred during logout" });
}
