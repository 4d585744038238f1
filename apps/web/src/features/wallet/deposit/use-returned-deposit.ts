import { toKobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { callApi, UNREACHABLE } from "../../../lib/api/api.ts";
import { retryUntilDone } from "../../../lib/api/retry.ts";
import { dropDepositReturn, findDepositReturn } from "../../../lib/session/wanted-deposit.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { notify } from "../../../ui/overlay/notify.ts";

export interface ReturnedDeposit {
  readonly reference: string;
  /** Null while the server asks the provider. */
  readonly answer: PaymentView | RefusalView | null;
}

const REFERENCE = /^[a-z0-9-]{16,50}$/;
/** Checks of a pending deposit, within about 15 s. Later results are pushed. */
const CHECKS_MAX = 6;

/**
 * The deposit named in the provider's return URL. The return credits nothing (ruling 9); the server
 * only asks the provider at once.
 */
export function useReturnedDeposit(onPayment: (payment: PaymentView) => void) {
  const [, navigate] = useLocation();
  const [returned, setReturned] = useState<ReturnedDeposit | null>(readReturnedReference);
  const reference = returned?.reference ?? null;

  useEffect(() => {
    if (reference === null) return;
    // A reload of the wallet is not another return.
    navigate("/wallet", { replace: true });
    let isCurrent = true;
    function goBack({ kobo, reference: paid }: PaymentView): boolean {
      const page = findDepositReturn(paid);
      if (page === null) return false;
      dropDepositReturn();
      // The same text as the push on other pages, so that only one of them is shown.
      notify({ kind: "done", title: "Deposit completed", text: formatNaira(toKobo(BigInt(kobo))) });
      navigate(page, { replace: true });
      return true;
    }
    let checks = 0;
    const end = retryUntilDone(async () => {
      const answer = await callApi("checkDeposit", { body: { reference } });
      if (answer.ok) onPayment(answer.value);
      if (!isCurrent || (answer.ok && answer.value.status === "completed" && goBack(answer.value))) return true;
      setReturned({ reference, answer: answer.ok ? answer.value : answer.refusal });
      if (!answer.ok) return answer.refusal.code !== UNREACHABLE.code;
      checks += 1;
      return answer.value.status !== "pending" || checks === CHECKS_MAX;
    });
    return () => {
      isCurrent = false;
      end();
    };
  }, [reference, navigate, onPayment]);

  return { returned, dismissReturned: () => setReturned(null) };
}

function readReturnedReference(): ReturnedDeposit | null {
  const reference = new URLSearchParams(location.search).get("reference");
  return reference !== null && REFERENCE.test(reference) ? { reference, answer: null } : null;
}
