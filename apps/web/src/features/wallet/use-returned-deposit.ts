import type { RefusalView } from "@holo/protocol/refusals.ts";
import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { callApi } from "../../lib/api.ts";

export interface ReturnedDeposit {
  readonly reference: string;
  /** Null while the server asks the provider. */
  readonly answer: PaymentView | RefusalView | null;
}

const REFERENCE = /^[a-z0-9-]{16,50}$/;
/** A provider who has not answered, or has no word yet, is asked again after so long, and then so long. Later words are pushed. */
const AGAIN_AFTER_MS = [2_000, 4_000, 8_000] as const;

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
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function ask(asked: string, times: number): Promise<void> {
      const answer = await callApi("checkDeposit", { body: { reference: asked } });
      if (answer.ok) onHeard(answer.value);
      if (!isWanted) return;
      setReturned({ reference: asked, answer: answer.ok ? answer.value : answer.refusal });
      const waitMs = AGAIN_AFTER_MS[times];
      const isOpen = answer.ok && answer.value.status === "pending";
      if (isOpen && waitMs !== undefined) timer = setTimeout(() => void ask(asked, times + 1), waitMs);
    }
    void ask(reference, 0);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [reference, navigate, onHeard]);

  return { returned, dismissReturned: () => setReturned(null) };
}

function readReturn(): ReturnedDeposit | null {
  const reference = new URLSearchParams(location.search).get("reference");
  return reference !== null && REFERENCE.test(reference) ? { reference, answer: null } : null;
}
