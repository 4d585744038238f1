import type { PaymentView } from "@holo/protocol/payments.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { PaymentRow } from "../../shared/money/payment-row.tsx";
import { Button } from "../../ui/button/button.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import { useNow } from "../../ui/text/use-now.ts";
import "./payment-list.css";

const CLOCK_MS = 30_000;
const SHOWN_COUNT = 5;

interface PaymentListProps {
  /** Newest first. */
  readonly payments: readonly PaymentView[];
  /** Restricted players cannot continue a deposit. */
  readonly isPlayRestricted: boolean;
  readonly onPayment: (payment: PaymentView) => void;
}

export function PaymentList({ payments, isPlayRestricted, onPayment }: PaymentListProps) {
  const now = useNow(CLOCK_MS);
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? payments : payments.slice(0, SHOWN_COUNT);
  return (
    <section className="payments" aria-labelledby="payments">
      <h2 id="payments">Deposits and withdrawals</h2>
      {payments.length === 0 ? (
        <p className="muted">You have made no deposit or withdrawal yet.</p>
      ) : (
        <ul>
          {shown.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} now={now}>
              {payment.isPayable && !isPlayRestricted && (
                <ContinueButton reference={payment.reference} onPayment={onPayment} />
              )}
              {payment.kind === "deposit" && payment.status === "pending" && (
                <CheckButton reference={payment.reference} onPayment={onPayment} />
              )}
            </PaymentRow>
          ))}
        </ul>
      )}
      {payments.length > SHOWN_COUNT && (
        <Button size="small" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? "Show fewer" : `Show all ${payments.length}`}
        </Button>
      )}
    </section>
  );
}

interface CheckButtonProps extends Pick<PaymentListProps, "onPayment"> {
  readonly reference: string;
}

/**
 * Opens the same checkout again. If the payment was made meanwhile, its new status is loaded
 * instead.
 */
function ContinueButton({ reference, onPayment }: CheckButtonProps) {
  const [isOpening, setOpening] = useState(false);

  // the back-forward cache restores the page with a busy button
  useEffect(() => {
    const handlePageShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", handlePageShow);
    return () => removeEventListener("pageshow", handlePageShow);
  }, []);

  async function open() {
    setOpening(true);
    const answer = await callApi("reopenDeposit", { body: { reference } });
    if (answer.ok) return location.assign(answer.value.authorizationUrl);
    setOpening(false);
    notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
    const checked = await callApi("checkDeposit", { body: { reference } });
    if (checked.ok) onPayment(checked.value);
  }

  return (
    <Button size="small" busy={isOpening && "Opening..."} onClick={() => void open()}>
      Continue payment
    </Button>
  );
}

/** Makes the server ask the provider now instead of at its next poll. */
function CheckButton({ reference, onPayment }: CheckButtonProps) {
  const [isChecking, setChecking] = useState(false);

  async function check() {
    setChecking(true);
    const answer = await callApi("checkDeposit", { body: { reference } });
    setChecking(false);
    if (answer.ok) onPayment(answer.value);
    else notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
  }

  return (
    <Button size="small" kind="quiet" busy={isChecking && "Checking..."} onClick={() => void check()}>
      Check again
    </Button>
  );
}
