import { addCoins, type Coins, subtractCoins, toKobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { WalletView } from "@holo/protocol/payments/wallet.ts";
import type { UnplayedDeposit } from "@holo/protocol/payments/withdrawal-terms.ts";
import { readCoins } from "../../lib/api/coins.ts";
import { isOpen } from "../../shared/money/payment-text.ts";
import { roundParts } from "../../shared/money/round-parts.ts";

/** Coins that can be withdrawn from `at` on (ms since 1970). */
export interface SettlingLot {
  readonly at: number;
  readonly coins: Coins;
}

export interface Wallet
  extends Pick<
    WalletView,
    "rateKobo" | "payerBearsFee" | "emailVerified" | "isFirstFromCard" | "depositLeft" | "payments" | "accounts"
  > {
  readonly balance: Coins;
  readonly withdrawable: Coins;
  /** Oldest first. */
  readonly unplayed: readonly UnplayedDeposit[];
  readonly inPlay: Coins;
  readonly debts: Coins;
  /** Soonest first. */
  readonly settlingLots: readonly SettlingLot[];
}

export function toWallet(view: WalletView): Wallet {
  return {
    ...view,
    balance: readCoins(view.balance),
    withdrawable: readCoins(view.withdrawable),
    unplayed: view.unplayed.map(({ coins, creditedCoins, feeKobo, ...deposit }) => ({
      ...deposit,
      coins: readCoins(coins),
      creditedCoins: readCoins(creditedCoins),
      feeKobo: toKobo(BigInt(feeKobo)),
    })),
    inPlay: readCoins(view.inPlay),
    debts: readCoins(view.debts),
    settlingLots: view.frees.map(({ at, coins }) => ({ at, coins: readCoins(coins) })).sort((a, b) => a.at - b.at),
  };
}

interface Settling {
  readonly settling: Coins;
  /** Adds up to the shown balance with what is shown as available. */
  readonly shown: Coins;
  /** Add up to `shown`. */
  readonly lots: readonly SettlingLot[];
}

/** The part of the balance that cannot be withdrawn yet, exactly and as shown. */
export function toSettling({ balance, withdrawable, settlingLots }: Wallet): Settling {
  const settling = subtractCoins(balance, withdrawable);
  const shown = roundParts([withdrawable, settling], balance)[1]!;
  const lots = roundParts(
    settlingLots.map(({ coins }) => coins),
    shown,
  );
  return { settling, shown, lots: settlingLots.map((lot, index) => ({ ...lot, coins: lots[index]! })) };
}

/** When `need` can be withdrawn (ms since 1970); null if the settling coins do not suffice. */
export function findAvailableAt(
  need: Coins,
  { withdrawable, settlingLots }: Pick<Wallet, "withdrawable" | "settlingLots">,
): number | null {
  let free = withdrawable;
  for (const { at, coins } of settlingLots) {
    free = addCoins(free, coins);
    if (free >= need) return at;
  }
  return null;
}

/** Replaces a known payment in place and puts a new one first. */
export function upsertPayment(payments: readonly PaymentView[], received: PaymentView): readonly PaymentView[] {
  const isKnown = payments.some(({ id }) => id === received.id);
  if (isKnown) return payments.map((payment) => (payment.id === received.id ? received : payment));
  return [received, ...payments];
}

export function sumOpenKobo(payments: readonly PaymentView[], kind: PaymentView["kind"]): bigint {
  return payments
    .filter((payment) => payment.kind === kind && payment.completedAt === null && isOpen(payment))
    .reduce((sum, { kobo }) => sum + BigInt(kobo), 0n);
}
