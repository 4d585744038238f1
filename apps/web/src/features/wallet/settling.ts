import { addCoins, type Coins } from "@holo/kernel/money.ts";
import type { WalletView } from "@holo/protocol/wallet-views.ts";
import { readCoins } from "../../lib/coins.ts";

/** Coins that may be withdrawn from an instant on (ms since 1970). */
export interface Freeing {
  readonly at: number;
  readonly coins: Coins;
}

/** The wallet's sums, parsed. */
export interface Wallet
  extends Pick<WalletView, "rateKobo" | "payerBearsFee" | "emailVerified" | "depositLeft" | "payments" | "accounts"> {
  readonly balance: Coins;
  readonly withdrawable: Coins;
  readonly inPlay: Coins;
  readonly debts: Coins;
  /** The soonest first. */
  readonly frees: readonly Freeing[];
}

export function toWallet(view: WalletView): Wallet {
  return {
    ...view,
    balance: readCoins(view.balance),
    withdrawable: readCoins(view.withdrawable),
    inPlay: readCoins(view.inPlay),
    debts: readCoins(view.debts),
    frees: view.frees.map(({ at, coins }) => ({ at, coins: readCoins(coins) })).sort((a, b) => a.at - b.at),
  };
}

/** When so many coins can be withdrawn if nothing else happens (ms since 1970); null if what settles is not enough. */
export function findFreeAt(
  need: Coins,
  { withdrawable, frees }: Pick<Wallet, "withdrawable" | "frees">,
): number | null {
  let free = withdrawable;
  for (const { at, coins } of frees) {
    free = addCoins(free, coins);
    if (free >= need) return at;
  }
  return null;
}
