import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { SavedAccountView } from "@holo/protocol/payments/payments.ts";
import type { WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toFailure, toWithdrawalFailure } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { Segmented } from "../../../ui/form/segmented.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { refreshWallet } from "../use-wallet.ts";
import { CardRefundReceipt, type CardRefunds, FirstWithdrawalNote, orderCardRefunds } from "./card-refunds.tsx";
import "./withdrawal-dialog.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

interface WithdrawalDialogProps {
  readonly kobo: Kobo;
  readonly terms: WithdrawalTerms;
  readonly rateKobo: number;
  readonly accounts: readonly SavedAccountView[];
  /** It is the first one with unplayed coins from a card, so that it waits (ruling 51). */
  readonly isFirst: boolean;
  /** What can go back to the card instead; null for nothing. */
  readonly refunds: CardRefunds | null;
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/**
 * Asks for the bank account and shows the holder's name as the bank reports it, before submitting.
 */
export function WithdrawalDialog(props: WithdrawalDialogProps) {
  const { kobo, terms, rateKobo, accounts, isFirst, onClose, onSent } = props;
  const [destination, setDestination] = useState<"bank" | "card">("bank");
  const refunds = destination === "card" ? props.refunds : null;
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);
  const { account, verified, fields } = useBankAccount(accounts, () => setFailure(null));

  async function withdraw() {
    setFailure(null);
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (!verified.isKnown && password === "") return setFailure(toRefusalView("password_required"));
    setSending(true);
    const content = `withdraw ${kobo} ${account.bankCode} ${account.accountNumber}`;
    const commandId = idempotencyKeys.keyFor(content);
    const secret = verified.isKnown ? {} : { password };
    const shown = { kobo: Number(kobo), feeKobo: Number(terms.feeKobo), rateKobo };
    const answer = await attempt(async () => {
      const given = await callApi("withdraw", { body: { commandId, ...shown, ...account, ...secret } });
      idempotencyKeys.complete(content, given.ok ? undefined : given.refusal);
      return given;
    });
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) {
      const { code } = answer.refusal;
      if (code === "rate_changed" || code === "withdrawal_fee_changed") refreshWallet();
      return setFailure(toWithdrawalFailure(answer.refusal));
    }
    const text = isFirst ? "We send it in 3 days." : undefined;
    notify({ kind: "done", title: "Withdrawal request submitted successfully", text });
    onSent();
  }

  async function refund({ parts }: CardRefunds) {
    setFailure(null);
    setSending(true);
    const answer = await attempt(() => orderCardRefunds(parts));
    setSending(false);
    if (answer === null) return;
    refreshWallet();
    if (!answer.ok) return setFailure(toFailure(answer.refusal));
    notify({ kind: "done", title: "Refund on its way to your card" });
    onSent();
  }

  const choice = props.refunds !== null && (
    <Segmented
      label="Where to"
      value={destination}
      options={[
        { value: "bank", text: "Bank, in 3 days" },
        { value: "card", text: "Card, now" },
      ]}
      onChange={(chosen) => {
        setDestination(chosen);
        setFailure(null);
      }}
    />
  );
  if (refunds !== null) {
    return (
      <FormDialog
        title="Back to your card"
        submitText={`Refund ${formatNaira(refunds.kobo)}`}
        busyText={isSending && "Refunding..."}
        failure={failure}
        className="withdrawal-form"
        onSubmit={() => refund(refunds)}
        onClose={onClose}
      >
        {choice}
        <CardRefundReceipt {...refunds} />
      </FormDialog>
    );
  }

  return (
    <FormDialog
      title="Withdraw to your bank"
      submitText={`Withdraw ${formatNaira(terms.kobo)}`}
      busyText={isSending && "Withdrawing..."}
      failure={failure}
      className="withdrawal-form"
      onSubmit={withdraw}
      onClose={onClose}
    >
      {choice}
      {isFirst && <FirstWithdrawalNote cardCoins={terms.cardCoins} isRefundable={props.refunds !== null} />}
      <Receipt>
        <ReceiptRow term="From your balance">{formatCoins(terms.takenCoins)} HC</ReceiptRow>
        {terms.feeKobo > 0n && (
          <ReceiptRow term="Withdrawal fee">
            −{formatNaira(terms.feeKobo)} ({formatCoins(terms.feeCoins)} HC)
          </ReceiptRow>
        )}
        <ReceiptTotal term="You receive">{formatNaira(terms.kobo)}</ReceiptTotal>
      </Receipt>
      <WithdrawalFeeNote terms={terms} />
      <BankAccountFields {...fields} disabled={isSending} onRefused={setFailure} />
      {verified !== null && !verified.isKnown && (
        <PasswordField
          hint="Needed the first time you use an account."
          value={password}
          onChange={(password) => {
            setPassword(password);
            setFailure(null);
          }}
        />
      )}
    </FormDialog>
  );
}

/** Says why a withdrawal bears fees (ruling 37); renders nothing if it bears none. */
function WithdrawalFeeNote({ terms }: { readonly terms: WithdrawalTerms }) {
  const { feeKobo, depositFeeKobo, transferFeeKobo, unplayedCoins } = terms;
  if (feeKobo === 0n) return null;
  return (
    <p className="small muted">
      You never played with {formatCoins(unplayedCoins)} HC of this. The fee is what Paystack charges us for them:{" "}
      {formatNaira(depositFeeKobo)} for the deposit and {formatNaira(transferFeeKobo)} for the transfer. Coins you've
      played with have no fee.
    </p>
  );
}
