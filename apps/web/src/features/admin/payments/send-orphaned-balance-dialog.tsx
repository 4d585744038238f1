import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { OrphanedBalanceView, PaymentCasesView } from "@holo/protocol/admin/money.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { FailureNote, type FailureText } from "../../../ui/feedback/failure-note.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { PASSWORD_MISSING } from "../../../ui/form/password-missing.ts";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { ReasonDialog, type ReasonDialogTexts, type SendAnswer } from "../reason-dialog.tsx";

const TEXTS: ReasonDialogTexts = {
  title: "Send Their Coins On?",
  body: "Everything in this wallet is paid out. If the bank sends it back, it's listed here again.",
  submit: "Send",
  busy: "Sending...",
  done: "On its way",
  reasonLabel: "Reason",
  reasonHint: "Kept in the activity log.",
};
const REASON_MAX = 500;

interface SendOrphanedBalanceDialogProps {
  readonly wallet: OrphanedBalanceView;
  readonly isCeo: boolean;
  readonly onClose: () => void;
  readonly onEnded: (cases: PaymentCasesView) => void;
  readonly onRefused: () => void;
}

export function SendOrphanedBalanceDialog(props: SendOrphanedBalanceDialogProps) {
  const { wallet, isCeo, onClose, onEnded, onRefused } = props;
  const { playerId, username, coins, kobo, bankName } = wallet;
  const [where, setWhere] = useState<"last" | "other">("last");
  const isOther = isCeo && (where === "other" || bankName === null);
  const [password, setPassword] = useState("");
  const [passwordError, setPasswordError] = useState<string>();
  const [failure, setFailure] = useState<FailureText | null>(null);
  const [isSending, setSending] = useState(false);
  const { account, verified, fields } = useBankAccount([], () => setFailure(null));

  /** Refusals of account and password are shown beside them. */
  async function send(reason: string): Promise<SendAnswer> {
    setFailure(null);
    if (isOther && verified === null) {
      setFailure(toRefusalView("account_not_verified"));
      return { ok: false, refusal: null };
    }
    if (isOther && password === "") {
      setPasswordError(PASSWORD_MISSING.text);
      return { ok: false, refusal: null };
    }
    const to = isOther ? { account, password } : { account: null };
    const place = isOther ? `${account.bankCode} ${account.accountNumber}` : "last";
    const content = `sendOrphanedBalance ${playerId} ${kobo} ${place}`;
    const commandId = idempotencyKeys.keyFor(content);
    setSending(true);
    const answer = await callApi("sendOrphanedBalance", { body: { commandId, playerId, kobo, ...to, reason } });
    idempotencyKeys.complete(content, answer.ok ? undefined : answer.refusal);
    setSending(false);
    if (answer.ok) {
      onEnded(answer.value);
      return answer;
    }
    onRefused();
    if (answer.refusal.code !== "wrong_password") return answer;
    setPasswordError(answer.refusal.text);
    return { ok: false, refusal: null };
  }

  return (
    <ReasonDialog
      texts={{ ...TEXTS, doneText: `${username}: ${formatNaira(toKobo(BigInt(kobo)))}` }}
      reasonMax={REASON_MAX}
      send={send}
      onClose={onClose}
    >
      <Receipt>
        <ReceiptRow term="Player">{username}</ReceiptRow>
        <ReceiptRow term="In the wallet">{formatCoins(readCoins(coins))} HC</ReceiptRow>
        <ReceiptTotal term="Sent">{formatNaira(toKobo(BigInt(kobo)))}</ReceiptTotal>
      </Receipt>
      {bankName !== null && isCeo && (
        <SelectField
          label="Where to"
          value={where}
          options={[
            { value: "last", text: `Last paid account (${bankName})` },
            { value: "other", text: "Another account" },
          ]}
          onChange={setWhere}
        />
      )}
      {bankName !== null && !isCeo && (
        <p className="muted">It goes to the account they were last paid to, at {bankName}.</p>
      )}
      {isOther && (
        <>
          <BankAccountFields {...fields} disabled={isSending} onRefused={setFailure} />
          {failure !== null && <FailureNote failure={failure} />}
          <PasswordField
            hint="Needed each time you pay another account."
            error={passwordError}
            value={password}
            onChange={(password) => {
              setPassword(password);
              setPasswordError(undefined);
            }}
          />
        </>
      )}
    </ReasonDialog>
  );
}
