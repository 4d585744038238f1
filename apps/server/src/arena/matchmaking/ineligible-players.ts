import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { findRestricted } from "../../accounts/accounts.ts";
import { loadDebts } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Refusal } from "../answer.ts";

/** Players who may not play: they are restricted or have an open debt (ruling 33). */
export async function findIneligible(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<ReadonlySet<PlayerId>> {
  const restricted = await findRestricted(queries, playerIds, now);
  return new Set([...restricted, ...(await loadDebts(queries, playerIds)).keys()]);
}

export async function findDebtRefusal(queries: Queries, playerId: PlayerId): Promise<Refusal | null> {
  const debt = (await loadDebts(queries, [playerId])).get(playerId);
  return debt === undefined ? null : { code: "debt_open", figures: { need: debt } };
}
