import { type Coins, toKoboOut } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { SavedAccountView } from "@holo/protocol/views.ts";
import { type SubmitEvent, useId, useRef, useState } from "react";
import { callApi } from "../../lib/api.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { AmountField } from "../../ui/money/amount-field.tsx";
import { type AccountDraft, EMPTY_DRAFT, toKnown, type VerifiedAccount } from "../../ui/money/bank-account.ts";
import { BankAccountFields } from "../../ui/money/bank-account-fields.tsx";
import { formatAmount, parseNaira } from "../../ui/money/naira-amount.ts";
import { formatNaira } from "../../ui/naira.ts";
import { notify } from "../../ui/notify.ts";
import { TextField } from "../../ui/text-field.tsx";
import { PASSWORD_MISSING } from "./password-words.ts";
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
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const [draft, setDraft] = useState<AccountDraft>(accounts[0] ?? EMPTY_DRAFT);
  const [verified, setVerified] = useState(accounts[0] === undefined ? null : toKnown(accounts[0]));
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const [isSending, setSending] = useState(false);
  const act = useActId();
  const amount = parseNaira(text);
  const all = toKoboOut(left, rateKobo);

  function write(next: string) {
    setText(next);
    setError(undefined);
    setFailure(null);
  }

  function choose(next: AccountDraft, known: VerifiedAccount | null) {
    setDraft(next);
    setVerified(known);
    setFailure(null);
  }

  async function withdraw(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    const kobo = checkRevenue(text, left, rateKobo);
    if (!kobo.ok) {
      setError(kobo.refusal.text);
      field.current?.focus();
      return;
    }
    if (verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (password === "") return setFailure(PASSWORD_MISSING);
    setSending(true);
    const { accountNumber, bankCode } = draft;
    const commandId = act.take(`${kobo.value} ${bankCode} ${accountNumber}`);
    const answer = await callApi("withdrawRevenue", {
      body: { commandId, kobo: Number(kobo.value), accountNumber, bankCode, password },
    });
    act.settle(answer.ok ? undefined : answer.refusal);
    setSending(false);
    if (!answer.ok) return setFailure(answer.refusal);
    notify({ kind: "done", title: "Withdrawal request submitted successfully" });
    onSent();
  }

  return (
    <Dialog
      title="Withdraw Revenue"
      onClose={isSending ? undefined : onClose}
      actions={
        <>
          <Button disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={isSending && "Withdrawing..."}>
            Withdraw{amount.ok && amount.value > 0n ? ` ${formatNaira(amount.value)}` : ""}
          </Button>
        </>
      }
    >
      <form id={formId} className="revenue-form" noValidate onSubmit={(event) => void withdraw(event)}>
        <AmountField ref={field} value={text} onChange={write} hint={`At most ${formatNaira(all)}`} error={error} />
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
        <BankAccountFields
          accounts={accounts}
          draft={draft}
          verified={verified}
          disabled={isSending}
          onChange={choose}
          onRefused={setFailure}
        />
        <TextField
          label="Your password"
          type="password"
          autoComplete="current-password"
          hint="Asked each time revenue is withdrawn."
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setFailure(null);
          }}
        />
        {failure !== null && <Failure words={failure} />}
      </form>
    </Dialog>
  );
}
