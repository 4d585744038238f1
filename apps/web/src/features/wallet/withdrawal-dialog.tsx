import { type Coins, formatCoins, type Kobo } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { SavedAccountView } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { type AccountDraft, EMPTY_DRAFT, toKnown, type VerifiedAccount } from "../../ui/money/bank-account.ts";
import { BankAccountFields } from "../../ui/money/bank-account-fields.tsx";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { Receipt, ReceiptRow } from "../../ui/receipt.tsx";
import { TextField } from "../../ui/text-field.tsx";
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
  const [draft, setDraft] = useState<AccountDraft>(accounts[0] ?? EMPTY_DRAFT);
  const [verified, setVerified] = useState(accounts[0] === undefined ? null : toKnown(accounts[0]));
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const act = useActId();
  const formId = useId();

  function choose(next: AccountDraft, known: VerifiedAccount | null) {
    setDraft(next);
    setVerified(known);
    setFailure(null);
  }

  async function withdraw(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (!verified.isKnown && password === "") return setFailure(toRefusalView("password_required"));
    setSending(true);
    const { accountNumber, bankCode } = draft;
    const commandId = act.take(`${kobo} ${bankCode} ${accountNumber}`);
    const secret = verified.isKnown ? {} : { password };
    const answer = await callApi("withdraw", {
      body: { commandId, kobo: Number(kobo), rateKobo, accountNumber, bankCode, ...secret },
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
    <Dialog
      title="Withdraw to your bank"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={isSending && "Withdrawing..."}>
            Withdraw {formatNaira(kobo)}
          </Button>
        </>
      }
    >
      <form id={formId} className="withdrawal-form" noValidate onSubmit={(event) => void withdraw(event)}>
        <Receipt>
          <ReceiptRow term="You receive">
            <b>{formatNaira(kobo)}</b>
          </ReceiptRow>
          <ReceiptRow term="Taken from your balance">{formatCoins(coins, "up")} HC</ReceiptRow>
        </Receipt>
        <BankAccountFields
          accounts={accounts}
          draft={draft}
          verified={verified}
          disabled={isSending}
          onChange={choose}
          onRefused={setFailure}
        />
        {verified !== null && !verified.isKnown && (
          <TextField
            label="Your password"
            type="password"
            autoComplete="current-password"
            hint="Asked for the first time an account is used."
            value={password}
            onChange={(event) => {
              setPassword(event.target.value);
              setFailure(null);
            }}
          />
        )}
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}
