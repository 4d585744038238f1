import type { PaymentView } from "@holo/protocol/payments/payments.ts";

export const PAYMENT_KIND_NAMES: Readonly<Record<PaymentView["kind"], string>> = {
  deposit: "Deposit",
  withdrawal: "Withdrawal",
  revenue: "Revenue withdrawal",
};
