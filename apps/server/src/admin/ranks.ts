import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { HeldBack } from "@holo/protocol/house-views.ts";
import { loadRoles, type Role } from "../accounts/accounts.ts";
import { loadOpposed } from "../arena/arena.ts";
import type { Queries } from "../platform/database.ts";

/** Somebody of the house who looks at something, or acts. */
export interface Ranked {
  readonly id: PlayerId;
  readonly role: Role;
}

type Roles = ReadonlyMap<PlayerId, Role>;

/**
 * Why a matter of these players (a game, a payment, a report) is not this person's to decide; null: it is. Nobody decides their own
 * (ruling 25). What concerns an admin is the CEO's, so that admins cannot cover each other; what concerns the CEO is any admin's, since
 * nobody else is left.
 */
export function toMatterHeldBack(
  actor: Ranked,
  concerned: readonly (PlayerId | null)[],
  roles: Roles,
): Exclude<HeldBack, "ceo_matter"> | null {
  if (concerned.includes(actor.id)) return "own_matter";
  const found = new Set(concerned.map((id) => (id === null ? undefined : roles.get(id))));
  return actor.role === "admin" && found.has("admin") && !found.has("ceo") ? "admin_matter" : null;
}

/**
 * Why this person neither blocks the player nor reads their file; null: they may. Where it is their own matter the file can be read all the
 * same: it is theirs, or the player's against whom they play, whom they told of or who told of them (`opposed`).
 */
export function toAccountHeldBack(
  actor: Ranked,
  playerId: PlayerId,
  { roles, opposed }: { readonly roles: Roles; readonly opposed: ReadonlySet<PlayerId> },
): HeldBack | null {
  if (playerId === actor.id) return "own_matter";
  const role = roles.get(playerId);
  if (role === "ceo") return "ceo_matter";
  if (role === "admin" && actor.role === "admin") return "admin_matter";
  return opposed.has(playerId) ? "own_matter" : null;
}

/** What `toAccountHeldBack` goes by. */
export async function loadStandings(queries: Queries, actorId: PlayerId, playerIds: readonly PlayerId[]) {
  const [roles, opposed] = [
    await loadRoles(queries, [actorId, ...playerIds]),
    await loadOpposed(queries, actorId, playerIds),
  ];
  return { roles, opposed };
}

/** The same as `toMatterHeldBack`, by what everybody's role is at this moment; for acts, in their transaction. */
export async function checkMatter(
  queries: Queries,
  actorId: PlayerId,
  concerned: readonly (PlayerId | null)[],
): Promise<Result<null, "access_denied" | "own_matter" | "admin_matter">> {
  const roles = await loadRoles(queries, [actorId, ...concerned.filter((id) => id !== null)]);
  const role = roles.get(actorId);
  if (role === undefined) return refuse("access_denied");
  const held = toMatterHeldBack({ id: actorId, role }, concerned, roles);
  return held === null ? ok(null) : refuse(held);
}

/** The same as `toAccountHeldBack`, by what everybody's role is at this moment; for acts, in their transaction. */
export async function checkAccount(
  queries: Queries,
  actorId: PlayerId,
  playerId: PlayerId,
): Promise<Result<null, "access_denied" | HeldBack>> {
  const standings = await loadStandings(queries, actorId, [playerId]);
  const role = standings.roles.get(actorId);
  if (role === undefined) return refuse("access_denied");
  const held = toAccountHeldBack({ id: actorId, role }, playerId, standings);
  return held === null ? ok(null) : refuse(held);
}
