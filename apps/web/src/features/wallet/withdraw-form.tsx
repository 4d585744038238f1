import { formatCoins, type Kobo, toCoinsOut, toKoboOut, ZERO_COINS } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import { type SubmitEvent, useState } from "react";
import { useSession } from "../../lib/session.ts";
import { serverClock } from "../../lib/socket.ts";
import { Button } from "../../ui/button.tsx";
import { Coin } from "../../ui/coin.tsx";
import { EmailNotice } from "../../ui/email-notice.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { AmountField } from "../../ui/money/amount-field.tsx";
import { formatAmount } from "../../ui/money/naira-amount.ts";
import { useAmount } from "../../ui/money/use-amount.ts";
import { formatNaira } from "../../ui/naira.ts";
import { PAYMENT_KOBO_MIN } from "../../ui/payment-limits.ts";
import { checkAmount, checkWithdrawal } from "./amount-check.ts";
import type { Wallet } from "./settling.ts";
import { WithdrawalDialog } from "./withdrawal-dialog.tsx";
import "./payment-form.css";

interface WithdrawFormProps {
  readonly wallet: Wallet;
  /** The server took a withdrawal. */
  readonly onSent: () => void;
}

export function WithdrawForm({ wallet, onSent }: WithdrawFormProps) {
  const { player } = useSession();
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const { text, amount, write, correct, field } = useAmount(() => setFailure(null));
  /** A withdrawal whose amount stands and whose account is still to be said. */
  const [asked, setAsked] = useState<Kobo | null>(null);
  const all = toKoboOut(wallet.withdrawable, wallet.rateKobo);

  function ask(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const kobo = checkAmount(text, "withdrawal_too_small");
    if (!kobo.ok) return correct(kobo.refusal.text);
    const coins = checkWithdrawal(kobo.value, wallet, serverClock.now());
    if (!coins.ok) return setFailure(coins.refusal);
    if (!wallet.emailVerified) return setFailure(toRefusalView("email_unverified"));
    if (wallet.debts > ZERO_COINS) return setFailure(toRefusalView("debts_open"));
    setAsked(kobo.value);
  }

  return (
    <>
      <form className="payment-form" noValidate onSubmit={ask}>
        {!wallet.emailVerified && player !== null && <EmailNotice email={player.email} />}
        <AmountField {...field} hint="Minimum withdrawal amount is ₦5,000" />
        {all >= PAYMENT_KOBO_MIN && (
          <Button
            size="small"
            wide
            className="all-of-it"
            aria-pressed={amount.ok && amount.value === all}
            onClick={() => write(formatAmount(all))}
          >
            All that is available: {formatNaira(all)}
          </Button>
        )}
        <dl className="payment-sum">
          <dt>Taken from your balance</dt>
          <dd>
            <Coin size={20} />
            {formatCoins(amount.ok ? toCoinsOut(amount.value, wallet.rateKobo) : ZERO_COINS, "up")} HC
          </dd>
        </dl>
        <Button type="submit" kind="primary" wide>
          Withdraw
        </Button>
        {failure !== null && <Failure words={failure} />}
        <p className="payment-foot">Paid to your own bank account.</p>
      </form>
      {asked !== null && (
        <WithdrawalDialog
          kobo={asked}
          coins={toCoinsOut(asked, wallet.rateKobo)}
          rateKobo={wallet.rateKobo}
          accounts={wallet.accounts}
          onClose={() => setAsked(null)}
          onSent={() => {
            setAsked(null);
            write("");
            onSent();
          }}
        />
      )}
    </>
  );
}
