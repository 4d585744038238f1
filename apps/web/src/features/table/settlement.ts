import { addCoins, type Coins, type CoinsRounding, formatCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Holder, LedgerEntryView } from "@holo/protocol/views.ts";
import { readCoins } from "../../lib/coins.ts";

/** What the ledger's entries about one game did to the coins of each of its holders. */
export type Sums = Readonly<Record<Holder, Coins>>;

export const HOLDERS: readonly Holder[] = ["white", "black", "escrow", "platform"];

/** What each holder gained or lost by all entries together. With the game settled nothing is left at its table. */
export function sumEntries(entries: readonly LedgerEntryView[]): Sums {
  const sums: Record<Holder, Coins> = {
    white: ZERO_COINS,
    black: ZERO_COINS,
    escrow: ZERO_COINS,
    platform: ZERO_COINS,
  };
  for (const { postings } of entries) {
    for (const { holder, amount } of postings) sums[holder] = addCoins(sums[holder], readCoins(amount));
  }
  return sums;
}

type Decimals = 2 | 6;

/** What one entry moved, rounded alike whichever way it went: what left one holder is what came to the others. */
export function formatPosting(coins: Coins, decimals: Decimals): string {
  return formatSigned(coins, coins > ZERO_COINS ? "up" : "down", decimals);
}

/** What all entries came to for a holder: of a player never more than they got, as their history says it. */
export function formatSum(holder: Holder, coins: Coins, decimals: Decimals): string {
  const isPlayer = holder === "white" || holder === "black";
  return isPlayer ? formatSigned(coins, "down", decimals) : formatPosting(coins, decimals);
}

function formatSigned(coins: Coins, rounding: CoinsRounding, decimals: Decimals): string {
  return `${coins > ZERO_COINS ? "+" : ""}${formatCoins(coins, rounding, decimals)}`;
}
