import { CHARGE_KOBO_MAX, formatCoins, type Kobo, toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { toGrossCharge } from "@holo/kernel/provider-fee.ts";
import { RATE_KEPT_MS } from "@holo/protocol/payments/payment-terms.ts";
import type { DepositLeftView } from "@holo/protocol/payments/wallet.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type SubmitEvent, useState } from "react";
import { Link } from "wouter";
import { useSession } from "../../../lib/session/session.ts";
import { readWantedDeposit } from "../../../lib/session/wanted-deposit.ts";
import { AmountField, useAmount } from "../../../shared/money/amount-field.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { formatAmount } from "../../../shared/money/naira-amount.ts";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { FailureNote, type FailureText } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { formatFutureTime } from "../../../ui/text/relative-time.ts";
import { useNow } from "../../../ui/text/use-now.ts";
import { checkAmount } from "../amount-check.ts";
import { useCheckout } from "./use-checkout.ts";
import "../payment-form.css";

const QUICK_AMOUNTS = [500_000n, 1_000_000n, 2_000_000n, 5_000_000n].map((kobo) => kobo as Kobo);
const CLOCK_MS = 30_000;
const OPENING_TEXT = "Opening checkout...";

interface DepositFormProps {
  readonly rateKobo: number;
  /** Adds the provider's fee to the charge (ruling 10). */
  readonly payerBearsFee: boolean;
  readonly depositLeft: DepositLeftView | null;
  readonly onReturned: () => void;
  /** The amount exceeded the remaining limit, which may have grown since. */
  readonly onLimited: () => void;
}

export function DepositForm({ rateKobo, payerBearsFee, depositLeft, onReturned, onLimited }: DepositFormProps) {
  const { player } = useSession();
  const now = useNow(CLOCK_MS);
  const [wanted] = useState(() => readWantedDeposit(history.state));
  const { isOpening, failure, setFailure, open } = useCheckout({ rateKobo, wanted, onReturned });
  const { text, amount, write, showError, field } = useAmount(() => setFailure(null), wanted?.kobo);
  const possible = findPossible(text, { payerBearsFee, depositLeft });

  async function deposit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const checked = checkAmount(text, "deposit_too_small");
    if (!checked.ok) return showError(checked.refusal.text);
    if (player === null) return setFailure(toRefusalView("deposit_login_required"));
    const payKobo = toChargedKobo(checked.value, payerBearsFee);
    if (payKobo > CHARGE_KOBO_MAX) return showError(toRefusalView("deposit_too_large").text);
    if (depositLeft !== null && Number(checked.value) > depositLeft.leftKobo) {
      onLimited();
      return setFailure(toLimitRefusal(depositLeft));
    }
    await open(checked.value, payKobo);
  }

  return (
    <form className="payment-form" noValidate onSubmit={(event) => void deposit(event)}>
      {wanted !== null && (
        <Note>
          This covers your match. After the payment you come back to it, or{" "}
          <Link href={wanted.page} className="link">
            go back now
          </Link>
          .
        </Note>
      )}
      <AmountField {...field} hint="Minimum deposit amount is ₦5,000" />
      <QuickAmounts
        chosen={amount.ok ? amount.value : null}
        depositLeft={depositLeft}
        onChoose={(kobo) => write(formatAmount(kobo))}
      />
      {depositLeft !== null && <LimitNote left={depositLeft} />}
      {payerBearsFee && possible !== null && <ChargeReceipt kobo={possible} />}
      <dl className="payment-sum">
        <dt>You receive</dt>
        <dd>
          <Coin size={20} />
          {possible === null ? "–" : `${formatCoins(toCoinsIn(possible, rateKobo))} HC`}
        </dd>
      </dl>
      <p className="payment-rate">
        1 HC costs {formatNaira(BigInt(rateKobo) as Kobo)} until {formatFutureTime(now + RATE_KEPT_MS, now)}
      </p>
      <Button type="submit" kind="primary" wide busy={isOpening && OPENING_TEXT}>
        {toButtonText(possible, payerBearsFee)}
      </Button>
      {failure !== null && <FailureNote failure={failure} />}
      <p className="payment-foot">Card or bank payment, on Paystack's own page.</p>
    </form>
  );
}

interface QuickAmountsProps extends Pick<DepositFormProps, "depositLeft"> {
  readonly chosen: Kobo | null;
  readonly onChoose: (kobo: Kobo) => void;
}

function QuickAmounts({ chosen, depositLeft, onChoose }: QuickAmountsProps) {
  return (
    <fieldset className="quick-amounts">
      <legend className="visually-hidden">Quick amounts</legend>
      {QUICK_AMOUNTS.map((kobo) => (
        <Button
          key={String(kobo)}
          size="small"
          aria-pressed={chosen === kobo}
          disabled={depositLeft !== null && kobo > depositLeft.leftKobo}
          onClick={() => onChoose(kobo)}
        >
          {formatNaira(kobo)}
        </Button>
      ))}
    </fieldset>
  );
}

/** Null for an amount that is refused: its figures cannot come true. */
function findPossible(
  text: string,
  { payerBearsFee, depositLeft }: Pick<DepositFormProps, "payerBearsFee" | "depositLeft">,
): Kobo | null {
  const checked = checkAmount(text, "deposit_too_small");
  if (!checked.ok || toChargedKobo(checked.value, payerBearsFee) > CHARGE_KOBO_MAX) return null;
  return depositLeft !== null && Number(checked.value) > depositLeft.leftKobo ? null : checked.value;
}

function toChargedKobo(kobo: Kobo, payerBearsFee: boolean): Kobo {
  return payerBearsFee ? toGrossCharge(kobo) : kobo;
}

function toButtonText(kobo: Kobo | null, payerBearsFee: boolean): string {
  if (kobo === null) return "Deposit";
  return payerBearsFee ? `Pay ${formatNaira(toGrossCharge(kobo))}` : `Deposit ${formatNaira(kobo)}`;
}

function ChargeReceipt({ kobo }: { readonly kobo: Kobo }) {
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

function toLimitRefusal({ period, limitKobo, leftKobo }: DepositLeftView): FailureText {
  return toRefusalView("limit_reached", { period, limit: toKobo(BigInt(limitKobo)), left: toKobo(BigInt(leftKobo)) });
}

function LimitNote({ left: { period, limitKobo, leftKobo } }: { readonly left: DepositLeftView }) {
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
