import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { loadRoles } from "../../accounts/accounts.ts";
import { type FairPlayCase, type Gift, loadConcerned } from "../../fairplay/fairplay.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { findCaseConflict, loadAuthority, type StaffMember } from "../authority.ts";

/** Staff see no case that concerns them, and admins none of another admin. */
export async function filterVisible(
  queries: Queries | Tx,
  viewer: StaffMember,
  cases: readonly FairPlayCase[],
): Promise<readonly FairPlayCase[]> {
  const concerned = await Promise.all(cases.map((one) => loadConcerned(queries, one)));
  const roles = await loadRoles(queries, [...new Set(concerned.flat())]);
  return cases.filter((_one, index) => findCaseConflict(viewer, concerned[index]!, roles) === null);
}

/** `own_matter`: whom a forfeit would pay, an opponent of now, or the other side of a report. */
export async function checkFairPlay(
  queries: Queries | Tx,
  actorId: PlayerId,
  one: FairPlayCase,
  gifts: readonly Gift[],
): Promise<Result<null, "access_denied" | "unknown_case" | "own_matter">> {
  const role = (await loadRoles(queries, [actorId])).get(actorId);
  if (role === undefined) return refuse("access_denied");
  const visible = await filterVisible(queries, { id: actorId, role }, [one]);
  if (visible.length === 0) return refuse("unknown_case");
  const { opposed } = await loadAuthority(queries, actorId, [one.playerId]);
  const isPaid = gifts.some(({ playerId }) => playerId === actorId);
  return isPaid || opposed.has(one.playerId) ? refuse("own_matter") : ok(null);
}
