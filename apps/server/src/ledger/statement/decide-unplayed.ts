import { assertNever } from "@holo/kernel/assert.ts";
import type { PaymentId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import type { UnplayedDeposit } from "@holo/protocol/payments/withdrawal-terms.ts";

export type DepositUse =
  /** `feeKobo`: what the provider charged the platform. */
  | ({ readonly type: "deposited" } & Omit<UnplayedDeposit, "creditedCoins">)
  /** Reversed or refunded, out of the wallet or as a debt. */
  | { readonly type: "taken_back"; readonly paymentId: PaymentId; readonly coins: Coins }
  /** Staked on games that were not refunded, or are open. */
  | { readonly type: "staked"; readonly coins: Coins }
  /** The part that was never staked, as it was decided. */
  | { readonly type: "withdrawn"; readonly unplayedCoins: Coins };

/** Each lot is the rest of a deposit. Deposits that are used up have none. */
interface Unplayed {
  readonly lots: readonly UnplayedDeposit[];
  /** Refunded after it was staked: it is taken from the next deposits. */
  readonly missing: bigint;
}

/**
 * Never staked coins by deposit, oldest first, together at most the balance (ruling 37). A stake
 * takes the newest (ruling 8), a withdrawal the oldest: the newest are still settling.
 */
export function decideUnplayed(history: readonly DepositUse[], balance: Coins): readonly UnplayedDeposit[] {
  let unplayed: Unplayed = { lots: [], missing: 0n };
  for (const use of history) unplayed = evolve(unplayed, use);
  return limit(unplayed.lots, balance);
}

function evolve({ lots, missing }: Unplayed, use: DepositUse): Unplayed {
  switch (use.type) {
    case "deposited": {
      const { type, ...deposit } = use;
      const lot = { ...deposit, creditedCoins: deposit.coins };
      const taken = consume([lot], missing);
      return { lots: [...lots, ...taken.lots], missing: taken.missing };
    }
    case "staked":
      return { lots: consumeNewest(lots, use.coins).lots, missing };
    case "taken_back": {
      const own = consume(
        lots.filter(({ paymentId }) => paymentId === use.paymentId),
        use.coins,
      );
      const kept = lots.flatMap((lot) => (lot.paymentId === use.paymentId ? own.lots : [lot]));
      const others = consumeNewest(kept, own.missing);
      return { lots: others.lots, missing: missing + others.missing };
    }
    case "withdrawn":
      return { lots: consume(lots, use.unplayedCoins).lots, missing };
    default:
      return assertNever(use);
  }
}

/** Coins above the balance left in another way; the newest are dropped first. */
function limit(lots: readonly UnplayedDeposit[], balance: Coins): readonly UnplayedDeposit[] {
  const excess = sum(lots) - balance;
  return excess > 0n ? consumeNewest(lots, excess).lots : lots;
}

function consume(lots: readonly UnplayedDeposit[], coins: bigint): Unplayed {
  let missing = coins;
  const left = lots.flatMap((lot) => {
    const part = lot.coins < missing ? lot.coins : missing;
    missing -= part;
    return part === lot.coins ? [] : [{ ...lot, coins: toCoins(lot.coins - part) }];
  });
  return { lots: left, missing };
}

function consumeNewest(lots: readonly UnplayedDeposit[], coins: bigint): Unplayed {
  const taken = consume(lots.toReversed(), coins);
  return { ...taken, lots: taken.lots.toReversed() };
}

function sum(lots: readonly UnplayedDeposit[]): bigint {
  return lots.reduce((total, { coins }) => total + coins, 0n);
}
