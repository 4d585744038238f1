import { assertNever } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { formatNaira } from "../../shared/money/naira.ts";
import { PAYMENT_KIND_NAMES } from "../../shared/money/payment-kinds.ts";
import type { Notice } from "../../ui/overlay/notify.ts";

export function toPaymentNotice({ kind, status, kobo, reason }: PaymentView): Omit<Notice, "id"> | null {
  const naira = formatNaira(BigInt(kobo) as Kobo);
  switch (status) {
    case "pending":
    case "processing":
    case "abandoned":
      return null;
    case "completed":
      return { kind: "done", title: `${PAYMENT_KIND_NAMES[kind]} completed`, text: naira };
    case "failed":
    case "reversed":
      return { kind: "failed", title: `${PAYMENT_KIND_NAMES[kind]} ${status}`, text: join(naira, reason) };
    case "review":
      return { kind: "notice", title: `${PAYMENT_KIND_NAMES[kind]} in review`, text: join(naira, reason) };
    default:
      return assertNever(status);
  }
}

function join(naira: string, reason: string | null): string {
  return reason === null ? naira : `${naira}: ${reason}`;
}
