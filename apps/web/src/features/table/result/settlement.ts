import { addCoins, type Coins, formatChange, ZERO_COINS } from "@holo/kernel/money.ts";
import type { Holder, JournalEntryView } from "@holo/protocol/game/games.ts";
import { readCoins } from "../../../lib/api/coins.ts";

type Sums = Readonly<Record<Holder, Coins>>;

export const HOLDERS: readonly Holder[] = ["white", "black", "escrow", "platform"];

export function sumEntries(entries: readonly JournalEntryView[]): Sums {
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

/** Rounded the same way in both directions, so that postings of one entry add up. */
export function formatPosting(coins: Coins, decimals: Decimals): string {
  return formatChange(coins, "price", decimals);
}

/** A player's total is rounded down, as in their statement. */
export function formatSum(holder: Holder, coins: Coins, decimals: Decimals): string {
  const isPlayer = holder === "white" || holder === "black";
  return isPlayer
    ? formatChange(coins, coins > ZERO_COINS ? "balance" : "price", decimals)
    : formatPosting(coins, decimals);
}
