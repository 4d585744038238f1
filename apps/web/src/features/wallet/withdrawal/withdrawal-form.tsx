import { formatCoins, type Kobo, PAYMENT_KOBO_MIN, toKoboOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { findCardDeposits, toWithdrawalTerms, type WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { type SubmitEvent, useState } from "react";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { useSession } from "../../../lib/session/session.ts";
import { AmountField, useAmount } from "../../../shared/money/amount-field.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { formatAmount } from "../../../shared/money/naira-amount.ts";
import { UnverifiedEmailNote } from "../../../shared/people/unverified-email-note.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { FailureNote, type FailureText } from "../../../ui/feedback/failure-note.tsx";
import { Coin } from "../../../ui/icon/coin.tsx";
import { checkAmount, checkWithdrawal } from "../amount-check.ts";
import type { Wallet } from "../wallet.ts";
import { toCardRefunds } from "./card-refunds.tsx";
import { WithdrawalDialog } from "./withdrawal-dialog.tsx";
import "../payment-form.css";

interface WithdrawalFormProps {
  readonly wallet: Wallet;
  readonly onSent: () => void;
}

/** Null for an amount that is refused: its figures cannot come true. */
function findTerms(text: string, wallet: Wallet): WithdrawalTerms | null {
  const kobo = checkAmount(text, "withdrawal_too_small");
  const checked = kobo.ok ? checkWithdrawal(kobo.value, wallet, serverClock.now()) : kobo;
  return checked.ok ? checked.value : null;
}

export function WithdrawalForm({ wallet, onSent }: WithdrawalFormProps) {
  const { player, limits } = useSession();
  const isHeld = limits?.withdrawalsHeldFor != null;
  const [failure, setFailure] = useState<FailureText | null>(null);
  const { text, amount, write, showError, field } = useAmount(() => setFailure(null));
  const [requestedKobo, setRequestedKobo] = useState<Kobo | null>(null);
  const toTerms = (kobo: Kobo) => toWithdrawalTerms(kobo, wallet.rateKobo, wallet);
  const terms = findTerms(text, wallet);
  const requested = requestedKobo === null ? null : toTerms(requestedKobo);
  const isFirst = requested !== null && wallet.isFirstFromCard && requested.cardCoins > ZERO_COINS;
  const availableKobo = toKoboOut(wallet.withdrawable, wallet.rateKobo);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const kobo = checkAmount(text, "withdrawal_too_small");
    if (!kobo.ok) return showError(kobo.refusal.text);
    const checked = checkWithdrawal(kobo.value, wallet, serverClock.now());
    if (!checked.ok) return setFailure(checked.refusal);
    if (!wallet.emailVerified) return setFailure(toRefusalView("email_unverified"));
    if (wallet.debts > ZERO_COINS) return setFailure(toRefusalView("debts_open"));
    if (isHeld) return setFailure(toRefusalView("withdrawals_held"));
    setRequestedKobo(kobo.value);
  }

  return (
    <>
      <form className="payment-form" noValidate onSubmit={submit}>
        {!wallet.emailVerified && player !== null && <UnverifiedEmailNote email={player.email} />}
        <AmountField {...field} hint="Minimum withdrawal amount is ₦5,000" />
        {availableKobo >= PAYMENT_KOBO_MIN && (
          <Button
            size="small"
            wide
            className="all-of-it"
            aria-pressed={amount.ok && amount.value === availableKobo}
            onClick={() => write(formatAmount(availableKobo))}
          >
            Withdraw all: {formatNaira(availableKobo)}
          </Button>
        )}
        <dl className="payment-sum">
          <dt>From your balance</dt>
          <dd>
            <Coin size={20} />
            {terms === null ? "–" : `${formatCoins(terms.takenCoins)} HC`}
          </dd>
          {terms !== null && terms.feeKobo > 0n && (
            <>
              <dt>You receive after fees</dt>
              <dd>{formatNaira(terms.kobo)}</dd>
            </>
          )}
        </dl>
        <Button type="submit" kind="primary" wide>
          Withdraw
        </Button>
        {failure !== null && <FailureNote failure={failure} />}
        <p className="payment-foot">Paid to your own bank account.</p>
      </form>
      {requestedKobo !== null && requested !== null && (
        <WithdrawalDialog
          kobo={requestedKobo}
          terms={requested}
          isFirst={isFirst}
          refunds={isFirst ? toCardRefunds(findCardDeposits(requested, wallet.unplayed)) : null}
          rateKobo={wallet.rateKobo}
          accounts={wallet.accounts}
          onClose={() => setRequestedKobo(null)}
          onSent={() => {
            setRequestedKobo(null);
            write("");
            onSent();
          }}
        />
      )}
    </>
  );
}
