import { toGrossCharge } from "@holo/kernel/charge-fee.ts";
import { formatCoins, type Kobo, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { DepositLeftView } from "@holo/protocol/wallet-views.ts";
import { type SubmitEvent, useEffect, useState } from "react";
import { Link } from "wouter";
import { callApi } from "../../lib/api.ts";
import { useSession } from "../../lib/session.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { toWanted } from "../../lib/wanted-page.ts";
import { Button } from "../../ui/button.tsx";
import { Coin } from "../../ui/coin.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { AmountField } from "../../ui/money/amount-field.tsx";
import { formatAmount } from "../../ui/money/naira-amount.ts";
import { useAmount } from "../../ui/money/use-amount.ts";
import { formatNaira } from "../../ui/naira.ts";
import { Note } from "../../ui/note.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import { checkAmount } from "./amount-check.ts";
import "./payment-form.css";

const QUICK_KOBO = [500_000n, 1_000_000n, 2_000_000n, 5_000_000n].map((kobo) => kobo as Kobo);
/** The address of the provider's page is the server's to give; the page only goes there. */
const OPENING = "Opening checkout...";

interface DepositFormProps {
  readonly rateKobo: number;
  /** Whether the provider's fee is added to what the player pays (ruling 10). */
  readonly payerBearsFee: boolean;
  /** What the player lets themselves deposit still; null where they have set no limit, or are not known. */
  readonly left: DepositLeftView | null;
  /** The page came back from the provider without a word of how it went. */
  readonly onReturned: () => void;
  /** What is left was too little; by now it may be more. */
  readonly onLimited: () => void;
}

export function DepositForm({ rateKobo, payerBearsFee, left, onReturned, onLimited }: DepositFormProps) {
  const { player } = useSession();
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const { text, amount, write, correct, field } = useAmount(() => setFailure(null));
  const [isOpening, setOpening] = useState(false);
  const act = useActId();

  // a browser that kept this page alive while the player was at the provider's shows it again just as it was left
  useEffect(() => {
    function wake(event: PageTransitionEvent) {
      if (!event.persisted) return;
      setOpening(false);
      onReturned();
    }
    addEventListener("pageshow", wake);
    return () => removeEventListener("pageshow", wake);
  }, [onReturned]);

  async function deposit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const checked = checkAmount(text, "deposit_too_small");
    if (!checked.ok) return correct(checked.refusal.text);
    if (player === null) return setFailure(toRefusalView("deposit_login_required"));
    const kobo = Number(checked.value);
    if (left !== null && kobo > left.leftKobo) {
      onLimited();
      return setFailure(toLimitRefusal(left));
    }
    setOpening(true);
    const payKobo = Number(toPaid(checked.value, payerBearsFee));
    const answer = await callApi("deposit", {
      body: { commandId: act.take(`${kobo} ${payKobo}`), kobo, payKobo, rateKobo },
    });
    act.settle(answer.ok ? undefined : answer.refusal);
    if (answer.ok) return location.assign(answer.value.authorizationUrl);
    setOpening(false);
    const { code } = answer.refusal;
    if (code === "deposit_fee_changed" || code === "rate_changed") onReturned();
    setFailure(answer.refusal);
  }

  return (
    <form className="payment-form" noValidate onSubmit={(event) => void deposit(event)}>
      <AmountField {...field} hint="Minimum deposit amount is ₦5,000" />
      <fieldset className="quick-amounts">
        <legend className="visually-hidden">Quick amounts</legend>
        {QUICK_KOBO.map((kobo) => (
          <Button
            key={String(kobo)}
            size="small"
            aria-pressed={amount.ok && amount.value === kobo}
            disabled={left !== null && kobo > left.leftKobo}
            onClick={() => write(formatAmount(kobo))}
          >
            {formatNaira(kobo)}
          </Button>
        ))}
      </fieldset>
      {left !== null && <LeftNote left={left} />}
      {payerBearsFee && amount.ok && amount.value > 0n && <PaidSum kobo={amount.value} />}
      <dl className="payment-sum">
        <dt>You receive</dt>
        <dd>
          <Coin size={20} />
          {formatCoins(toCoinsIn(amount.ok ? amount.value : (0n as Kobo), rateKobo))} HC
        </dd>
      </dl>
      <Button type="submit" kind="primary" wide busy={isOpening && OPENING}>
        {toActText(amount.ok ? amount.value : (0n as Kobo), payerBearsFee)}
      </Button>
      {failure !== null && <Failure words={failure} />}
      {player === null ? (
        <p className="payment-foot">
          <Link href="/login" state={toWanted(window.location)} className="link alone">
            Login
          </Link>
        </p>
      ) : (
        <p className="payment-foot">Card or bank payment, on Paystack's own page.</p>
      )}
    </form>
  );
}

/** What is paid in all. */
function toPaid(kobo: Kobo, payerBearsFee: boolean): Kobo {
  return payerBearsFee ? toGrossCharge(kobo) : kobo;
}

function toActText(kobo: Kobo, payerBearsFee: boolean): string {
  if (kobo <= 0n) return "Deposit";
  return payerBearsFee ? `Pay ${formatNaira(toGrossCharge(kobo))}` : `Deposit ${formatNaira(kobo)}`;
}

/** The provider's fee, before anything is paid. */
function PaidSum({ kobo }: { readonly kobo: Kobo }) {
  const paid = toGrossCharge(kobo);
  return (
    <div className="paid-sum">
      <Receipt>
        <ReceiptRow term="Deposit">{formatNaira(kobo)}</ReceiptRow>
        <ReceiptRow term="Paystack's fee">{formatNaira(toKobo(paid - kobo))}</ReceiptRow>
        <ReceiptTotal term="You pay">{formatNaira(paid)}</ReceiptTotal>
      </Receipt>
    </div>
  );
}

function toLimitRefusal({ period, limitKobo, leftKobo }: DepositLeftView): FailureWords {
  return toRefusalView("limit_reached", { period, limit: toKobo(BigInt(limitKobo)), left: toKobo(BigInt(leftKobo)) });
}

function LeftNote({ left: { period, limitKobo, leftKobo } }: { readonly left: DepositLeftView }) {
  return (
    <Note>
      Your limit is {formatNaira(toKobo(BigInt(limitKobo)))} a {period}: <b>{formatNaira(toKobo(BigInt(leftKobo)))}</b>{" "}
      is left.{" "}
      <Link href="/profile#limits" className="link">
        Your limits
      </Link>
    </Note>
  );
}
