import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, subtractCoins, ZERO_COINS } from "@holo/kernel/money.ts";

/** How long a deposit or a game's net win is held after its completion (ruling 8). */
export const HOLDING_MS = 24 * 3_600_000;

export interface Change {
  readonly at: Instant;
  readonly coins: Coins;
}

export interface Withdrawable {
  readonly withdrawable: Coins;
  /** Held amounts by release time, earliest first. Adds up to the balance with `withdrawable`. */
  readonly frees: readonly Change[];
}

/**
 * The withdrawable part of a balance: all but held lots. A gain is a lot; a loss consumes the
 * newest lots first, then settled coins. `changes` covers at least 24 hours, in order.
 */
export function decideWithdrawable(balance: Coins, changes: readonly Change[], now: Instant): Withdrawable {
  const lots = toLots(changes.filter(({ at }) => addMs(at, HOLDING_MS) > now));
  let held = lots.reduce((sum, { coins }) => sum + coins, 0n);
  const toFree = (): Coins => subtractCoins(balance, (held < balance ? held : balance) as Coins);
  const withdrawable = toFree();
  const frees: Change[] = [];
  let free = withdrawable;
  for (const [at, together] of [...Map.groupBy(lots, (lot) => lot.at)].sort(([a], [b]) => a - b)) {
    held -= together.reduce((sum, { coins }) => sum + coins, 0n);
    const coins = subtractCoins(toFree(), free);
    if (coins > ZERO_COINS) frees.push({ at: addMs(at, HOLDING_MS), coins });
    free = toFree();
  }
  return { withdrawable, frees };
}

/** The gains that are left, oldest first: a loss takes from the newest. */
function toLots(changes: readonly Change[]): Change[] {
  const lots: Change[] = [];
  for (const { at, coins } of changes) {
    if (coins > ZERO_COINS) lots.push({ at, coins });
    else consume(lots, -coins);
  }
  return lots;
}

function consume(lots: Change[], loss: bigint): void {
  let left = loss;
  for (let lot = lots.at(-1); left > 0n && lot !== undefined; lot = lots.at(-1)) {
    lots.pop();
    if (lot.coins > left) lots.push({ at: lot.at, coins: (lot.coins - left) as Coins });
    left -= lot.coins;
  }
}
