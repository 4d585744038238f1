import { type Coins, parseCoins } from "@holo/kernel/money.ts";
import type { CoinsText } from "@holo/protocol/views.ts";

/** Amounts come from our own ledger; one that is none would be a fault of ours. */
export function readCoins(text: CoinsText): Coins {
  const coins = parseCoins(text);
  if (!coins.ok) throw new Error(`${text} are no coins`);
  return coins.value;
}
