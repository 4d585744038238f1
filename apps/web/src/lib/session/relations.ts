import type { RelationView } from "@holo/protocol/accounts/players.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useSyncExternalStore } from "react";
import { callApi } from "../api/api.ts";
import { currentSession } from "./session.ts";

/** Keyed by viewer and player, since another player may log in on this page. */
const relations = new Map<string, RelationView>();
const listeners = new Set<() => void>();

export function useRelation(playerId: string | null): RelationView | null {
  return useSyncExternalStore(onRelationsChanged, () => currentRelation(playerId));
}

/** Resolves with false if another attempt may succeed. */
export async function loadRelation(playerId: string): Promise<boolean> {
  if (currentRelation(playerId) !== null) return true;
  const answer = await callApi("player", { params: { id: playerId } });
  if (answer.ok) receiveRelation(playerId, answer.value.relation);
  return answer.ok || answer.refusal.code === "unknown_player";
}

export function receiveRelation(playerId: string, relation: RelationView | null): void {
  if (relation === null) return;
  relations.set(readKey(playerId), relation);
  for (const listener of listeners) listener();
}

export async function saveRelation(playerId: string, change: Partial<RelationView>): Promise<RefusalView | null> {
  const answer = await callApi("updateRelation", { params: { id: playerId }, body: change });
  if (!answer.ok) return answer.refusal;
  receiveRelation(playerId, answer.value);
  return null;
}

function currentRelation(playerId: string | null): RelationView | null {
  return playerId === null ? null : (relations.get(readKey(playerId)) ?? null);
}

function onRelationsChanged(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readKey(playerId: string): string {
  return `${currentSession()?.player?.id ?? ""} ${playerId}`;
}
