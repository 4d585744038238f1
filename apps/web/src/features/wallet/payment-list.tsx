import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { Button } from "../../ui/button.tsx";
import { PaymentRow } from "../../ui/money/payment-row.tsx";
import { notify } from "../../ui/notify.ts";
import { useNow } from "../../ui/use-now.ts";
import "./payment-list.css";

const CLOCK_MS = 30_000;
/** The first ones are what is under way; the rest is a press away. */
const SHOWN = 5;

interface PaymentListProps {
  /** Newest first. */
  readonly payments: readonly PaymentView[];
  /** Whether the player lets themselves deposit nothing now. */
  readonly isOnBreak: boolean;
  readonly onHeard: (payment: PaymentView) => void;
}

/** Every deposit and withdrawal with what has become of it. */
export function PaymentList({ payments, isOnBreak, onHeard }: PaymentListProps) {
  const now = useNow(CLOCK_MS);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? payments : payments.slice(0, SHOWN);
  return (
    <section className="payments" aria-labelledby="payments">
      <h2 id="payments">Deposits and withdrawals</h2>
      {payments.length === 0 ? (
        <p className="muted">You have made no deposit or withdrawal yet.</p>
      ) : (
        <ul>
          {shown.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} now={now}>
              {payment.isPayable && !isOnBreak && <ContinueButton reference={payment.reference} onHeard={onHeard} />}
              {payment.kind === "deposit" && payment.status === "pending" && (
                <CheckButton reference={payment.reference} onHeard={onHeard} />
              )}
            </PaymentRow>
          ))}
        </ul>
      )}
      {payments.length > SHOWN && (
        <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${payments.length}`}
        </Button>
      )}
    </section>
  );
}

interface CheckButtonProps extends Pick<PaymentListProps, "onHeard"> {
  readonly reference: string;
}

/** Leads to the same checkout again: nothing is begun a second time, and what was paid meanwhile is heard of instead. */
function ContinueButton({ reference, onHeard }: CheckButtonProps) {
  const [isOpening, setOpening] = useState(false);

  // a browser may show the page that it left just as it was
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", wake);
    return () => removeEventListener("pageshow", wake);
  }, []);

  async function open() {
    setOpening(true);
    const answer = await callApi("reopenDeposit", { body: { reference } });
    if (answer.ok) return location.assign(answer.value.authorizationUrl);
    setOpening(false);
    notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
    const heard = await callApi("checkDeposit", { body: { reference } });
    if (heard.ok) onHeard(heard.value);
  }

  return (
    <Button size="small" busy={isOpening && "Opening..."} onClick={() => void open()}>
      Continue payment
    </Button>
  );
}

/** Asks at once what would be asked anyway before long. */
function CheckButton({ reference, onHeard }: CheckButtonProps) {
  const [isAsking, setAsking] = useState(false);

  async function check() {
    setAsking(true);
    const answer = await callApi("checkDeposit", { body: { reference } });
    setAsking(false);
    if (answer.ok) onHeard(answer.value);
    else notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
  }

  return (
    <Button size="small" kind="quiet" busy={isAsking && "Checking..."} onClick={() => void check()}>
      Check again
    </Button>
  );
}
