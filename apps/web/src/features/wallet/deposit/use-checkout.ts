import type { Kobo } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toSpecified } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { type readWantedDeposit, saveDepositReturn } from "../../../lib/session/wanted-deposit.ts";
import type { FailureText } from "../../../ui/feedback/failure-note.tsx";
import { useVisitCheckout } from "./use-visit-checkout.ts";

interface CheckoutOptions {
  readonly rateKobo: number;
  /** What the deposit is for: its page is kept for the return. */
  readonly wanted: ReturnType<typeof readWantedDeposit>;
  /** The player came back, or the offer has changed. */
  readonly onReturned: () => void;
}

/** Creates a deposit and opens its checkout. */
export function useCheckout({ rateKobo, wanted, onReturned }: CheckoutOptions) {
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isOpening, setOpening] = useState(false);
  const visitCheckout = useVisitCheckout();

  useEffect(() => {
    function handlePageShow(event: PageTransitionEvent) {
      if (!event.persisted) return;
      setOpening(false);
      onReturned();
    }
    addEventListener("pageshow", handlePageShow);
    return () => removeEventListener("pageshow", handlePageShow);
  }, [onReturned]);

  async function open(amount: Kobo, charged: Kobo) {
    setOpening(true);
    const [kobo, payKobo] = [Number(amount), Number(charged)];
    const content = `deposit ${kobo} ${payKobo}`;
    const answer = await callApi("deposit", {
      body: { commandId: idempotencyKeys.keyFor(content), kobo, payKobo, rateKobo },
    });
    idempotencyKeys.complete(content, answer.ok ? undefined : answer.refusal);
    if (answer.ok) {
      if (wanted !== null) saveDepositReturn(answer.value.payment.reference, wanted.page);
      return visitCheckout(answer.value.authorizationUrl);
    }
    setOpening(false);
    const { code } = answer.refusal;
    if (code === "deposit_fee_changed" || code === "rate_changed") onReturned();
    setFailure(toSpecified(answer.refusal, toRefusalView("payments_unavailable")));
  }

  return { isOpening, failure, setFailure, open };
}
