import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { OrphanedBalanceView, ReviewsView } from "@holo/protocol/admin/money.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useState } from "react";
import { callApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { FailureNote, type FailureText } from "../../../ui/feedback/failure-note.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { ReasonDialog, type ReasonDialogTexts } from "../reason-dialog.tsx";

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
  readonly onEnded: (reviews: ReviewsView) => void;
}

export function SendOrphanedBalanceDialog({ wallet, isCeo, onClose, onEnded }: SendOrphanedBalanceDialogProps) {
  const { playerId, username, coins, kobo, bankName } = wallet;
  const [where, setWhere] = useState<"last" | "other">(bankName === null ? "other" : "last");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureText | null>(null);
  const { account, verified, fields } = useBankAccount([], () => setFailure(null));

  async function send(reason: string): Promise<{ ok: true } | { ok: false; refusal: RefusalView }> {
    setFailure(null);
    if (where === "other" && verified === null) return { ok: false, refusal: toRefusalView("account_not_verified") };
    const to = where === "last" ? { account: null } : { account, password };
    const content = `sendOrphanedBalance ${playerId} ${kobo} ${where} ${account.bankCode} ${account.accountNumber}`;
    const commandId = idempotencyKeys.keyFor(content);
    const answer = await callApi("sendOrphanedBalance", { body: { commandId, playerId, kobo, ...to, reason } });
    idempotencyKeys.complete(content, answer.ok ? undefined : answer.refusal);
    if (answer.ok) onEnded(answer.value);
    return answer;
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
      {where === "other" && (
        <>
          <BankAccountFields {...fields} disabled={false} onRefused={setFailure} />
          {failure !== null && <FailureNote failure={failure} />}
          <PasswordField hint="Needed each time you pay another account." value={password} onChange={setPassword} />
        </>
      )}
    </ReasonDialog>
  );
}
