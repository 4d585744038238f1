import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";

/** How long a deposit or a game's net win is held after its completion (ruling 8). */
export const HOLDING_MS = 24 * 3_600_000;

export interface Lot {
  readonly at: Instant;
  readonly coins: Coins;
}

export interface Withdrawable {
  readonly withdrawable: Coins;
  /** Held amounts by release time, earliest first. Adds up to the balance with `withdrawable`. */
  readonly frees: readonly Lot[];
}

/**
 * The withdrawable part of a balance: all but held lots. `lots` are at most what the player has
 * with open stakes, which come out of settled coins first.
 */
export function decideWithdrawable(balance: Coins, lots: readonly Lot[], now: Instant): Withdrawable {
  const young = lots.filter(({ at }) => addMs(at, HOLDING_MS) > now);
  let held = young.reduce((sum, { coins }) => sum + coins, 0n);
  const toFree = (): Coins => subtractCoins(balance, (held < balance ? held : balance) as Coins);
  const withdrawable = toFree();
  const frees: Lot[] = [];
  let free = withdrawable;
  for (const [at, together] of [...Map.groupBy(young, (lot) => lot.at)].sort(([a], [b]) => a - b)) {
    held -= together.reduce((sum, { coins }) => sum + coins, 0n);
    const coins = subtractCoins(toFree(), free);
    if (coins > ZERO_COINS) frees.push({ at: addMs(at, HOLDING_MS), coins });
    free = toFree();
  }
  return { withdrawable, frees };
}
