import type { Coins } from "@holo/kernel/money.ts";
import { GAMES } from "@holo/rules/registry.ts";
import { listPaidStakes } from "@holo/table/stakes.ts";
import { toGameTerms } from "../match/match.ts";

/** Whether the balance pays for no staked game at all. */
export function buysNothing(balance: Coins, feeBps: number): boolean {
  const [least] = listPaidStakes();
  return least === undefined || GAMES.every(({ id }) => balance < toGameTerms(id, least, feeBps).buyIn);
}
