import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RouteName } from "@holo/protocol/routes.ts";
import type { Role, Session } from "../accounts/accounts.ts";
import type { Call } from "./http-routes.ts";

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
): Promise<Result<Session, "access_denied">> {
  const session = await call.findSession();
  const isAllowed = session !== null && (session.role === "ceo" || session.role === role);
  return isAllowed ? ok(session) : refuse("access_denied");
}
