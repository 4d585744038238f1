import { type Coins, toKoboOut } from "@holo/kernel/money.ts";
import type { SavedAccountView } from "@holo/protocol/payments/payments.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { toWithdrawalFailure } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { AmountField, useAmount } from "../../../shared/money/amount-field.tsx";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { formatAmount } from "../../../shared/money/naira-amount.ts";
import { Button } from "../../../ui/button/button.tsx";
import { useAttempts } from "../../../ui/form/attempts.ts";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import { parseRevenueAmount } from "./revenue-amount.ts";

interface RevenueDialogProps {
  readonly left: Coins;
  readonly rateKobo: number;
  readonly accounts: readonly SavedAccountView[];
  readonly onClose: () => void;
  readonly onSent: () => void;
}

export function WithdrawRevenueDialog({ left, rateKobo, accounts, onClose, onSent }: RevenueDialogProps) {
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const { text, amount, write, showError, field } = useAmount(() => setFailure(null));
  const [isSending, setSending] = useState(false);
  const { account, verified, fields } = useBankAccount(accounts, () => setFailure(null));
  const all = toKoboOut(left, rateKobo);
  const possible = parseRevenueAmount(text, left, rateKobo);

  async function withdraw() {
    setFailure(null);
    const kobo = parseRevenueAmount(text, left, rateKobo);
    if (!kobo.ok) return showError(kobo.refusal.text);
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const content = `withdrawRevenue ${kobo.value} ${account.bankCode} ${account.accountNumber}`;
    const commandId = idempotencyKeys.keyFor(content);
    const answer = await attempt(async () => {
      const given = await callApi("withdrawRevenue", {
        body: { commandId, kobo: Number(kobo.value), ...account, password },
      });
      idempotencyKeys.complete(content, given.ok ? undefined : given.refusal);
      return given;
    });
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) return setFailure(toWithdrawalFailure(answer.refusal));
    notify({ kind: "done", title: "Withdrawal request submitted successfully" });
    onSent();
  }

  return (
    <FormDialog
      title="Withdraw Revenue"
      submitText={possible.ok ? `Withdraw ${formatNaira(possible.value)}` : "Withdraw"}
      busyText={isSending && "Withdrawing..."}
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
        hint="Needed for every revenue withdrawal."
        value={password}
        onChange={(password) => {
          setPassword(password);
          setFailure(null);
        }}
      />
    </FormDialog>
  );
}
