import { type Coins, parseCoins } from "@holo/kernel/money.ts";
import type { CoinsText } from "@holo/protocol/fields.ts";

/** Amounts come from our own server, so a malformed one is a fault. */
export function readCoins(text: CoinsText): Coins {
  const coins = parseCoins(text);
  if (!coins.ok) throw new Error(`${text} are no coins`);
  return coins.value;
}
