import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RouteName } from "@holo/protocol/routes.ts";
import type { Session } from "../accounts/accounts.ts";
import type { Call } from "./http-routes.ts";

/** Who sent the request; a visitor is refused. */
export async function requireSession(
  call: Pick<Call<RouteName>, "findSession">,
): Promise<Result<Session, "login_required">> {
  const session = await call.findSession();
  return session === null ? refuse("login_required") : ok(session);
}
