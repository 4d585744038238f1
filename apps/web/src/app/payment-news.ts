import { assertNever } from "@holo/kernel/assert.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { KIND_WORDS } from "../ui/money/payment-kind.ts";
import { formatNaira } from "../ui/naira.ts";
import type { Notice } from "../ui/notify.ts";

/** What a player is told of a payment of theirs, wherever they are; null while there is nothing new for them in it. */
export function toPaymentNotice({ kind, status, kobo, reason }: PaymentView): Omit<Notice, "id"> | null {
  const naira = formatNaira(BigInt(kobo) as Kobo);
  switch (status) {
    case "pending":
    case "processing":
    case "abandoned":
      return null;
    case "completed":
      return { kind: "done", title: `${KIND_WORDS[kind]} completed`, text: naira };
    case "failed":
    case "reversed":
      return { kind: "failed", title: `${KIND_WORDS[kind]} ${status}`, text: join(naira, reason) };
    case "review":
      return { kind: "notice", title: `${KIND_WORDS[kind]} in review`, text: join(naira, reason) };
    default:
      return assertNever(status);
  }
}

function join(naira: string, reason: string | null): string {
  return reason === null ? naira : `${naira}: ${reason}`;
}
