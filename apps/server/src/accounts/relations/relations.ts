import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isFree, type Stake } from "@holo/table/stakes.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { findPlayers } from "../profiles/profiles-store.ts";
import {
  countRelations,
  findNeverPairedOf,
  loadRelation as loadStored,
  lockProfile,
  type NeverPaired,
  removeRelation,
  saveRelation,
} from "./relations-store.ts";

export interface Relation {
  /** Their chat is hidden. */
  readonly muted: boolean;
  /** The two are never paired. */
  readonly blocked: boolean;
}

export interface RelationChanges {
  readonly muted?: boolean | undefined;
  readonly blocked?: boolean | undefined;
}

interface RelationOrder {
  readonly playerId: PlayerId;
  readonly otherId: PlayerId;
  readonly changes: RelationChanges;
  readonly at: Instant;
}

export type RelationRefusal = "own_relation" | "unknown_player" | "too_many_requests";

/** Bounds what matchmaking reads for one player. */
export const RELATIONS_MAX = 1_000;

const NO_RELATION: Relation = { muted: false, blocked: false };

export async function loadRelation(queries: Queries, playerId: PlayerId, otherId: PlayerId): Promise<Relation> {
  return (await loadStored(queries, playerId, otherId)) ?? NO_RELATION;
}

/** Refusals in the order of `RelationRefusal`; `too_many_requests` at `RELATIONS_MAX`. */
export async function updateRelation(tx: Tx, order: RelationOrder): Promise<Result<Relation, RelationRefusal>> {
  const { playerId, otherId, changes, at } = order;
  if (playerId === otherId) return refuse("own_relation");
  if ((await findPlayers(tx, [otherId])).size === 0) return refuse("unknown_player");
  // Serializes the player's changes, so that the previous row and the count are current.
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

/** Binding only in a transaction that holds the limits of both players. */
export async function findNeverPaired(queries: Queries, playerId: PlayerId, now: Instant): Promise<NeverPaired> {
  return (await findNeverPairedOf(queries, [playerId], now)).get(playerId) ?? new Map();
}

/** Whether these two are kept apart in games of this stake. */
export function isNeverPaired(others: NeverPaired, otherId: PlayerId, stake: Stake): boolean {
  const games = others.get(otherId);
  return games === "in_any_game" || (games === "for_stakes" && !isFree(stake));
}
