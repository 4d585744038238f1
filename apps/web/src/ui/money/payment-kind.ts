import type { PaymentView } from "@holo/protocol/wallet-views.ts";

export const KIND_WORDS: Readonly<Record<PaymentView["kind"], string>> = {
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  revenue: "Revenue withdrawal",
};
