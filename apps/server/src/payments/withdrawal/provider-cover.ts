import type { Instant } from "@holo/kernel/instant.ts";
import { type Kobo, toKobo, toKoboOwed } from "@holo/kernel/money.ts";
import { loadOwedFigures } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadOpenKobo } from "../store/payment-store.ts";

/** What the provider holds beyond what players are owed, in kobo; negative for too little. */
export type ProviderCover = bigint;

/**
 * The provider's balance less all that is owed at the current rate (ruling 34). Money that may have
 * left around `askedAt`, when `heldKobo` was read, counts as owed: never too high.
 */
export async function loadProviderCover(
  queries: Queries,
  { heldKobo, askedAt, rateKobo }: { readonly heldKobo: bigint; readonly askedAt: Instant; readonly rateKobo: number },
): Promise<ProviderCover> {
  const { held, onTheWayKobo } = await loadOwedFigures(queries);
  const { revenue, uncredited, sentSince } = await loadOpenKobo(queries, askedAt);
  return heldKobo - toKoboOwed(held, rateKobo) - onTheWayKobo - revenue - uncredited - sentSince;
}

export function toCoveredKobo(cover: ProviderCover): Kobo {
  return toKobo(cover > 0n ? cover : 0n);
}
