import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { loadRoles, type Role } from "../../accounts/accounts.ts";
import type { FairPlayCase } from "../../fairplay/fairplay.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { findCaseConflict, loadAuthority, type StaffMember } from "../authority.ts";

type Concerned = Pick<FairPlayCase, "playerId" | "concerned">;

/** Staff see no case that concerns them, and admins none of another admin. */
export function isVisible(
  viewer: StaffMember,
  { concerned }: Pick<Concerned, "concerned">,
  roles: ReadonlyMap<PlayerId, Role>,
): boolean {
  return findCaseConflict(viewer, concerned, roles) === null;
}

/** `own_matter`: an opponent of now, or the other side of a report. */
export async function checkFairPlay(
  queries: Queries | Tx,
  actorId: PlayerId,
  { playerId, concerned }: Concerned,
): Promise<Result<null, "access_denied" | "unknown_case" | "own_matter">> {
  const roles = await loadRoles(queries, [actorId, ...concerned]);
  const role = roles.get(actorId);
  if (role === undefined) return refuse("access_denied");
  if (!isVisible({ id: actorId, role }, { concerned }, roles)) return refuse("unknown_case");
  const { opposed } = await loadAuthority(queries, actorId, [playerId]);
  return opposed.has(playerId) ? refuse("own_matter") : ok(null);
}
