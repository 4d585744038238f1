import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { PaymentView } from "@holo/protocol/views.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { callApi } from "../../lib/api.ts";

export interface ReturnedDeposit {
  readonly reference: string;
  /** Null while the server asks the provider. */
  readonly answer: PaymentView | RefusalView | null;
}

const REFERENCE = /^[a-z0-9-]{16,50}$/;

/**
 * The deposit whose checkout the player comes back from, as the provider's link names it. The browser's return credits nothing (ruling 9): it only makes the
 * server ask the provider at once.
 */
export function useReturnedDeposit(onHeard: (payment: PaymentView) => void) {
  const [, navigate] = useLocation();
  const [returned, setReturned] = useState<ReturnedDeposit | null>(readReturn);
  const reference = returned?.reference ?? null;

  useEffect(() => {
    if (reference === null) return;
    // the reference has been read: a reload is a look at the wallet, not another return
    navigate("/wallet", { replace: true });
    let isWanted = true;
    void callApi("checkDeposit", { body: { reference } }).then((answer) => {
      if (answer.ok) onHeard(answer.value);
      if (isWanted) setReturned({ reference, answer: answer.ok ? answer.value : answer.refusal });
    });
    return () => {
      isWanted = false;
    };
  }, [reference, navigate, onHeard]);

  return { returned, dismissReturned: () => setReturned(null) };
}

function readReturn(): ReturnedDeposit | null {
  const reference = new URLSearchParams(location.search).get("reference");
  return reference !== null && REFERENCE.test(reference) ? { reference, answer: null } : null;
}
