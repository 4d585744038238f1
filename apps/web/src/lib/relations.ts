import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { RelationView } from "@holo/protocol/views.ts";
import { useSyncExternalStore } from "react";
import { callApi } from "./api.ts";
import { currentSession } from "./session.ts";

/** By who wishes it and about whom: another player at this page has wishes of their own. */
const relations = new Map<string, RelationView>();
const listeners = new Set<() => void>();

/** What the player at this page wishes about another; null until it is known, and for visitors. */
export function useRelation(playerId: string | null): RelationView | null {
  return useSyncExternalStore(onRelationsChanged, () => currentRelation(playerId));
}

/** Asks the server once; where it cannot be asked, the relation stays unknown. */
export async function loadRelation(playerId: string): Promise<void> {
  if (currentRelation(playerId) !== null) return;
  const answer = await callApi("player", { params: { id: playerId } });
  if (answer.ok) keepRelation(playerId, answer.value.relation);
}

/** Keeps what an answer of the server told beside other things. */
export function keepRelation(playerId: string, relation: RelationView | null): void {
  if (relation === null) return;
  relations.set(toKey(playerId), relation);
  for (const listener of listeners) listener();
}

/** Returns null once it is so, else what the house says. */
export async function saveRelation(playerId: string, change: Partial<RelationView>): Promise<RefusalView | null> {
  const answer = await callApi("updateRelation", { params: { id: playerId }, body: change });
  if (!answer.ok) return answer.refusal;
  keepRelation(playerId, answer.value);
  return null;
}

function currentRelation(playerId: string | null): RelationView | null {
  return playerId === null ? null : (relations.get(toKey(playerId)) ?? null);
}

function onRelationsChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function toKey(playerId: string): string {
  return `${currentSession()?.player?.id ?? ""} ${playerId}`;
}
