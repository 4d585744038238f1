import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { loadPlayers } from "../store.ts";
import {
  countRelations,
  loadBlockedWith,
  loadRelation as loadStored,
  lockProfile,
  removeRelation,
  saveRelation,
} from "./relations-store.ts";

/** What a player has asked for about another. */
export interface Relation {
  /** Their chat is not shown. */
  readonly muted: boolean;
  /** The two are never paired again. */
  readonly blocked: boolean;
}

/** What is left out stays as it is. */
export interface RelationChanges {
  readonly muted?: boolean | undefined;
  readonly blocked?: boolean | undefined;
}

export interface RelationOrder {
  readonly playerId: PlayerId;
  readonly otherId: PlayerId;
  readonly changes: RelationChanges;
  readonly at: Instant;
}

export type RelationRefusal = "own_relation" | "unknown_player" | "too_many_requests";

/** More than anyone needs, and a bound on what matchmaking reads of one player. */
export const RELATIONS_MAX = 1_000;

const NO_RELATION: Relation = { muted: false, blocked: false };

/** What `playerId` has asked for about `otherId`; nothing where there is no such player. */
export async function loadRelation(queries: Queries, playerId: PlayerId, otherId: PlayerId): Promise<Relation> {
  return (await loadStored(queries, playerId, otherId)) ?? NO_RELATION;
}

/**
 * Changes what is given and leaves the rest. Refusals in the order of `RelationRefusal`; `too_many_requests` where the player has asked
 * for something about as many others as anyone may.
 */
export async function updateRelation(tx: Tx, order: RelationOrder): Promise<Result<Relation, RelationRefusal>> {
  const { playerId, otherId, changes, at } = order;
  if (playerId === otherId) return refuse("own_relation");
  if ((await loadPlayers(tx, [otherId])).length === 0) return refuse("unknown_player");
  // One change of a player's at a time: what is kept of the old wish, and the count, are then what stands.
  await lockProfile(tx, playerId);
  const before = await loadStored(tx, playerId, otherId);
  const relation = { ...NO_RELATION, ...before };
  const after: Relation = {
    muted: changes.muted ?? relation.muted,
    blocked: changes.blocked ?? relation.blocked,
  };
  if (!after.muted && !after.blocked) {
    await removeRelation(tx, playerId, otherId);
    return ok(after);
  }
  if (before === null && (await countRelations(tx, playerId)) >= RELATIONS_MAX) return refuse("too_many_requests");
  await saveRelation(tx, playerId, otherId, after, at);
  return ok(after);
}

/** The players never to be paired with this one: those they blocked, and those who blocked them (ruling 23). */
export async function findBlockedWith(queries: Queries, playerId: PlayerId): Promise<ReadonlySet<PlayerId>> {
  return new Set(await loadBlockedWith(queries, playerId));
}
