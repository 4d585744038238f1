import type { PaymentView } from "@holo/protocol/payments/payments.ts";

export const PAYMENT_KIND_NAMES: Readonly<Record<PaymentView["kind"], string>> = {
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  revenue: "Revenue withdrawal",
};

/** How a statement names a game. */
export function formatOpponent(opponent: string | null): string {
  return opponent === null ? "No opponent" : `vs ${opponent}`;
}
