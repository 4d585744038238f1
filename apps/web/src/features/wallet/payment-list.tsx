import { formatCoins, type Kobo, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useEffect, useState } from "react";
import { callApi } from "../../lib/api/api.ts";
import { readCoins } from "../../lib/api/coins.ts";
import { toSpecified } from "../../lib/api/failure.ts";
import { serverClock } from "../../lib/clock/server-clock.ts";
import { useSession } from "../../lib/session/session.ts";
import { formatNaira } from "../../shared/money/naira.ts";
import { PaymentRow } from "../../shared/money/payment-row.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/data/receipt.tsx";
import { FormDialog } from "../../ui/overlay/form-dialog.tsx";
import { notify } from "../../ui/overlay/notify.ts";
import { useNow } from "../../ui/text/use-now.ts";
import { useVisitCheckout } from "./deposit/use-visit-checkout.ts";
import { WriteButton } from "./fair-play/write-button.tsx";
import "./payment-list.css";

const CLOCK_MS = 30_000;
const SHOWN_COUNT = 5;

interface PaymentListProps {
  readonly payments: readonly PaymentView[];
  /** Restricted players cannot continue a deposit. */
  readonly isPlayRestricted: boolean;
  readonly onPayment: (payment: PaymentView) => void;
  /** Withdrawals that wait for fair play. */
  readonly held: OwnFairPlayView["held"];
  readonly onWritten: (changed: OwnFairPlayView) => void;
}

export function PaymentList({ payments, held, isPlayRestricted, onPayment, onWritten }: PaymentListProps) {
  const now = useNow(CLOCK_MS);
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? payments : payments.slice(0, SHOWN_COUNT);
  return (
    <section className="payments" aria-labelledby="payments">
      <h2 id="payments">Deposits and withdrawals</h2>
      {payments.length === 0 ? (
        <p className="muted">No deposits or withdrawals yet.</p>
      ) : (
        <ul>
          {shown.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} now={now}>
              {payment.isPayable && !isPlayRestricted && <ContinueButton payment={payment} onPayment={onPayment} />}
              {payment.isCancellable && <CancelButton reference={payment.reference} onPayment={onPayment} />}
              {payment.kind === "deposit" && payment.status === "pending" && (
                <CheckButton reference={payment.reference} onPayment={onPayment} />
              )}
              {held
                .filter(({ paymentId }) => paymentId === payment.id)
                .map((waiting) => (
                  <WriteButton key={waiting.paymentId} held={waiting} onSent={onWritten} />
                ))}
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

interface ContinueButtonProps extends Pick<PaymentListProps, "onPayment"> {
  readonly payment: PaymentView;
}

interface ReferenceButtonProps extends Pick<PaymentListProps, "onPayment"> {
  readonly reference: string;
}

/**
 * Opens the same checkout again. If the payment was made meanwhile, loads its new status instead.
 */
function ContinueButton({ payment, onPayment }: ContinueButtonProps) {
  const { reference, rateUntil } = payment;
  const { settings } = useSession();
  const [isOpening, setOpening] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const visitCheckout = useVisitCheckout();
  const isRateKept = rateUntil !== null && serverClock.now() <= rateUntil;
  const rateKobo = isRateKept ? payment.rateKobo : settings.rateKobo;

  // The back-forward cache restores the page with a busy button.
  useEffect(() => {
    const handlePageShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", handlePageShow);
    return () => removeEventListener("pageshow", handlePageShow);
  }, []);

  async function open() {
    setOpening(true);
    const answer = await callApi("reopenDeposit", { body: { reference, rateKobo } });
    if (answer.ok) return visitCheckout(answer.value.authorizationUrl);
    setOpening(false);
    setAsking(false);
    const { title, text } = toSpecified(answer.refusal, toRefusalView("payments_unavailable"));
    notify({ kind: "failed", title, text });
    const checked = await callApi("checkDeposit", { body: { reference } });
    if (checked.ok) onPayment(checked.value);
  }

  return (
    <>
      <Button
        size="small"
        busy={isOpening && "Opening..."}
        onClick={() => (rateKobo > payment.rateKobo ? setAsking(true) : void open())}
      >
        Continue payment
      </Button>
      {isAsking && (
        <LaterRateDialog
          payment={payment}
          rateKobo={rateKobo}
          isOpening={isOpening}
          onContinue={() => void open()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface LaterRateDialogProps {
  readonly payment: PaymentView;
  readonly rateKobo: number;
  readonly isOpening: boolean;
  readonly onContinue: () => void;
  readonly onClose: () => void;
}

/** Warns before the payment that it gives fewer coins than at its start (ruling 35). */
function LaterRateDialog({ payment, rateKobo, isOpening, onContinue, onClose }: LaterRateDialogProps) {
  const kobo = BigInt(payment.kobo) as Kobo;
  return (
    <FormDialog
      title="The rate has changed"
      submitText={`Pay ${formatNaira(toKobo(kobo + BigInt(payment.payerFeeKobo)))}`}
      busyText={isOpening && "Opening..."}
      failure={null}
      onSubmit={async () => onContinue()}
      onClose={onClose}
    >
      <p>The rate you saw has expired. If you pay now, you get this one:</p>
      <Receipt>
        <ReceiptRow term="Rate now">{formatNaira(BigInt(rateKobo) as Kobo)} for 1 HC</ReceiptRow>
        <ReceiptRow term="You were shown">{formatCoins(readCoins(payment.coins))} HC</ReceiptRow>
        <ReceiptTotal term="You receive">{formatCoins(toCoinsIn(kobo, rateKobo))} HC</ReceiptTotal>
      </Receipt>
    </FormDialog>
  );
}

/** Makes the server ask the provider now instead of at its next poll. */
function CheckButton({ reference, onPayment }: ReferenceButtonProps) {
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

function CancelButton({ reference, onPayment }: ReferenceButtonProps) {
  const [isCancelling, setCancelling] = useState(false);

  async function cancel() {
    setCancelling(true);
    const answer = await callApi("cancelWithdrawal", { body: { reference } });
    setCancelling(false);
    if (answer.ok) onPayment(answer.value);
    else notify({ kind: "failed", title: answer.refusal.title, text: answer.refusal.text });
  }

  return (
    <Button size="small" kind="quiet" busy={isCancelling && "Cancelling..."} onClick={() => void cancel()}>
      Cancel withdrawal
    </Button>
  );
}
