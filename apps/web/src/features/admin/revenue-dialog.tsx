import { type Coins, toKoboOut } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { SavedAccountView } from "@holo/protocol/wallet-views.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { Button } from "../../ui/button.tsx";
import type { FailureWords } from "../../ui/failure.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { AmountField } from "../../ui/money/amount-field.tsx";
import { BankAccountFields } from "../../ui/money/bank-account-fields.tsx";
import { formatAmount } from "../../ui/money/naira-amount.ts";
import { useAmount } from "../../ui/money/use-amount.ts";
import { useBankAccount } from "../../ui/money/use-bank-account.ts";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { PASSWORD_MISSING, PasswordField } from "../../ui/password-field.tsx";
import { checkRevenue } from "./revenue-check.ts";

interface RevenueDialogProps {
  /** What may be withdrawn. */
  readonly left: Coins;
  readonly rateKobo: number;
  readonly accounts: readonly SavedAccountView[];
  readonly onClose: () => void;
  readonly onSent: () => void;
}

/** The amount, the account, and the CEO once more (ruling 10): nothing is sent without all three. */
export function RevenueDialog({ left, rateKobo, accounts, onClose, onSent }: RevenueDialogProps) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const { text, amount, write, correct, field } = useAmount(() => setFailure(null));
  const [isSending, setSending] = useState(false);
  const act = useActId();
  const { account, verified, fields } = useBankAccount(accounts, () => setFailure(null));
  const all = toKoboOut(left, rateKobo);

  async function withdraw() {
    setFailure(null);
    const kobo = checkRevenue(text, left, rateKobo);
    if (!kobo.ok) return correct(kobo.refusal.text);
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const commandId = act.take(`${kobo.value} ${account.bankCode} ${account.accountNumber}`);
    const answer = await callApi("withdrawRevenue", {
      body: { commandId, kobo: Number(kobo.value), ...account, password },
    });
    act.settle(answer.ok ? undefined : answer.refusal);
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: "Withdrawal request submitted successfully" });
    onSent();
  }

  return (
    <FormDialog
      title="Withdraw Revenue"
      act={`Withdraw${amount.ok && amount.value > 0n ? ` ${formatNaira(amount.value)}` : ""}`}
      busy={isSending && "Withdrawing..."}
      failure={failure}
      className="revenue-form"
      onSubmit={withdraw}
      onClose={onClose}
    >
      <AmountField {...field} hint={`At most ${formatNaira(all)}`} />
      {all > 0n && (
        <Button
          size="small"
          wide
          className="all-of-it"
          aria-pressed={amount.ok && amount.value === all}
          onClick={() => write(formatAmount(all))}
        >
          All of it: {formatNaira(all)}
        </Button>
      )}
      <BankAccountFields {...fields} disabled={isSending} onRefused={setFailure} />
      <PasswordField
        hint="Asked each time revenue is withdrawn."
        value={password}
        onChange={(password) => {
          setPassword(password);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
