import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { StaffConflict } from "@holo/protocol/admin/staff-conflicts.ts";
import { loadRoles, type Role } from "../accounts/accounts.ts";
import { loadConflictingPlayers } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";

export interface StaffMember {
  readonly id: PlayerId;
  readonly role: Role;
}

type Roles = ReadonlyMap<PlayerId, Role>;

/**
 * Why a staff member may not decide a case of these players; null if they may. No one decides their
 * own case (ruling 25). Cases of admins go to the CEO, cases of the CEO to any admin.
 */
export function findCaseConflict(
  actor: StaffMember,
  concerned: readonly (PlayerId | null)[],
  roles: Roles,
): Exclude<StaffConflict, "ceo_matter"> | null {
  if (concerned.includes(actor.id)) return "own_matter";
  const found = new Set(concerned.map((id) => (id === null ? undefined : roles.get(id))));
  return actor.role === "admin" && found.has("admin") && !found.has("ceo") ? "admin_matter" : null;
}

/**
 * Why a staff member may not ban a player or read their file; null if they may. `own_matter` still
 * permits reading: it means themselves, or an opponent or the other side of a report (`opposed`).
 */
export function findAccountConflict(
  actor: StaffMember,
  playerId: PlayerId,
  { roles, opposed }: { readonly roles: Roles; readonly opposed: ReadonlySet<PlayerId> },
): StaffConflict | null {
  if (playerId === actor.id) return "own_matter";
  const role = roles.get(playerId);
  if (role === "ceo") return "ceo_matter";
  if (role === "admin" && actor.role === "admin") return "admin_matter";
  return opposed.has(playerId) ? "own_matter" : null;
}

export async function loadAuthority(queries: Queries, actorId: PlayerId, playerIds: readonly PlayerId[]) {
  const [roles, opposed] = [
    await loadRoles(queries, [actorId, ...playerIds]),
    await loadConflictingPlayers(queries, actorId, playerIds),
  ];
  return { roles, opposed };
}

/** Same as `findCaseConflict` with current roles, for use in the transaction of the action. */
export async function checkCase(
  queries: Queries,
  actorId: PlayerId,
  concerned: readonly (PlayerId | null)[],
): Promise<Result<null, "access_denied" | "own_matter" | "admin_matter">> {
  const roles = await loadRoles(queries, [actorId, ...concerned.filter((id) => id !== null)]);
  const role = roles.get(actorId);
  if (role === undefined) return refuse("access_denied");
  const conflict = findCaseConflict({ id: actorId, role }, concerned, roles);
  return conflict === null ? ok(null) : refuse(conflict);
}

/** Same as `findAccountConflict` with current roles, for use in the transaction of the action. */
export async function checkAccount(
  queries: Queries,
  actorId: PlayerId,
  playerId: PlayerId,
): Promise<Result<null, "access_denied" | StaffConflict>> {
  const authority = await loadAuthority(queries, actorId, [playerId]);
  const role = authority.roles.get(actorId);
  if (role === undefined) return refuse("access_denied");
  const conflict = findAccountConflict({ id: actorId, role }, playerId, authority);
  return conflict === null ? ok(null) : refuse(conflict);
}
