import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { SavedAccountView } from "@holo/protocol/payments/payments.ts";
import type { WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toWithdrawalFailure } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { refreshWallet } from "../use-wallet.ts";
import "./withdrawal-dialog.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

interface WithdrawalDialogProps {
  readonly kobo: Kobo;
  readonly terms: WithdrawalTerms;
  readonly rateKobo: number;
  readonly accounts: readonly SavedAccountView[];
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/**
 * Asks for the bank account and shows the holder's name as the bank reports it, before submitting.
 */
export function WithdrawalDialog({ kobo, terms, rateKobo, accounts, onClose, onSent }: WithdrawalDialogProps) {
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
    notify({ kind: "done", title: "Withdrawal request submitted successfully" });
    onSent();
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
