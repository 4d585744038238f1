import { type Coins, formatCoins, type Kobo } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { SavedAccountView } from "@holo/protocol/wallet-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useActId } from "../../lib/use-act-id.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { BankAccountFields } from "../../ui/money/bank-account-fields.tsx";
import { useBankAccount } from "../../ui/money/use-bank-account.ts";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { refreshWallet } from "./use-wallet.ts";
import "./withdrawal-dialog.css";

interface WithdrawalDialogProps {
  readonly kobo: Kobo;
  readonly coins: Coins;
  /** By which the coins are what they are. */
  readonly rateKobo: number;
  readonly accounts: readonly SavedAccountView[];
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/** Asks where a withdrawal goes. Whose account it is, is what the bank says, shown before anything is taken. */
export function WithdrawalDialog({ kobo, coins, rateKobo, accounts, onClose, onSent }: WithdrawalDialogProps) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const act = useActId();
  const { account, verified, fields } = useBankAccount(accounts, () => setFailure(null));

  async function withdraw() {
    setFailure(null);
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (!verified.isKnown && password === "") return setFailure(toRefusalView("password_required"));
    setSending(true);
    const commandId = act.take(`${kobo} ${account.bankCode} ${account.accountNumber}`);
    const secret = verified.isKnown ? {} : { password };
    const answer = await callApi("withdraw", {
      body: { commandId, kobo: Number(kobo), rateKobo, ...account, ...secret },
    });
    act.settle(answer.ok ? undefined : answer.refusal);
    setSending(false);
    if (!answer.ok) {
      if (answer.refusal.code === "rate_changed") refreshWallet();
      return setFailure(answer.refusal);
    }
    notify({ kind: "done", title: "Withdrawal request submitted successfully" });
    onSent();
  }

  return (
    <FormDialog
      title="Withdraw to your bank"
      act={`Withdraw ${formatNaira(kobo)}`}
      busy={isSending && "Withdrawing..."}
      failure={failure}
      className="withdrawal-form"
      onSubmit={withdraw}
      onClose={onClose}
    >
      <Receipt>
        <ReceiptRow term="You receive">
          <b>{formatNaira(kobo)}</b>
        </ReceiptRow>
        <ReceiptRow term="Taken from your balance">{formatCoins(coins, "up")} HC</ReceiptRow>
      </Receipt>
      <BankAccountFields {...fields} disabled={isSending} onRefused={setFailure} />
      {verified !== null && !verified.isKnown && (
        <PasswordField
          hint="Asked for the first time an account is used."
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
