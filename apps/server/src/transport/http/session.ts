import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RouteName } from "@holo/protocol/routes.ts";
import type { Accounts, Role, Session } from "../../accounts/accounts.ts";
import type { StaffMember } from "../../admin/admin.ts";
import type { Call } from "./routes.ts";

/** Who sent the request; a visitor is refused. */
export async function requireSession(
  call: Pick<Call<RouteName>, "findSession">,
): Promise<Result<Session, "login_required">> {
  const session = await call.findSession();
  return session === null ? refuse("login_required") : ok(session);
}

/** Who sent the request, if they have this role at this moment; a CEO has both. A visitor is refused like everyone else. */
export async function requireRole(
  call: Pick<Call<RouteName>, "findSession">,
  role: Role,
): Promise<Result<Session & { readonly role: Role }, "access_denied">> {
  const session = await call.findSession();
  const has = session?.role ?? null;
  const isAllowed = session !== null && has !== null && (has === "ceo" || has === role);
  return isAllowed ? ok({ ...session, role: has }) : refuse("access_denied");
}

/** Who they are to whom they look at and act upon. */
export function toRanked({ player, role }: Session & { readonly role: Role }): StaffMember {
  return { id: player.id, role };
}

/** The same for acts that need their password again. A wrong guess counts; who has not the role learns nothing of the password. */
export async function requireConfirmed(
  call: Pick<Call<RouteName>, "findSession">,
  role: Role,
  password: string,
  checkPassword: Accounts["checkPassword"],
): Promise<Result<Session & { readonly role: Role }, "access_denied" | "too_many_requests" | "wrong_password">> {
  const session = await requireRole(call, role);
  if (!session.ok) return session;
  const checked = await checkPassword(session.value.player.id, password);
  if (!checked.ok) return checked;
  return checked.value ? session : refuse("wrong_password");
}
