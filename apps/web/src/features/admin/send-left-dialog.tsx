import { formatCoins, toKobo } from "@holo/kernel/money.ts";
import type { LeftWalletView, ReviewsView } from "@holo/protocol/admin-views.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals.ts";
import { useState } from "react";
import { callApi } from "../../lib/api.ts";
import { readCoins } from "../../lib/coins.ts";
import { useActId } from "../../lib/use-act-id.ts";
import { Failure, type FailureWords } from "../../ui/failure.tsx";
import { BankAccountFields } from "../../ui/money/bank-account-fields.tsx";
import { useBankAccount } from "../../ui/money/use-bank-account.ts";
import { formatNaira } from "../../ui/naira.ts";
import { PasswordField } from "../../ui/password-field.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../ui/receipt.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { ActDialog } from "./act-dialog.tsx";

const WORDS = {
  title: "Send Their Coins On?",
  text: "Everything in this wallet is paid out. Should the bank send it back, it is listed here again.",
  act: "Send",
  busy: "Sending...",
  done: "On its way",
  label: "Reason",
  hint: "Kept in the log of acts.",
};
/** As the wire bounds it. */
const REASON_MAX = 500;

interface SendLeftDialogProps {
  readonly wallet: LeftWalletView;
  /** Who may name another account. */
  readonly isCeo: boolean;
  readonly onClose: () => void;
  readonly onEnded: (reviews: ReviewsView) => void;
}

/** What is sent, where to, and why. */
export function SendLeftDialog({ wallet, isCeo, onClose, onEnded }: SendLeftDialogProps) {
  const { playerId, username, coins, kobo, bankName } = wallet;
  const [where, setWhere] = useState<"last" | "other">(bankName === null ? "other" : "last");
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<FailureWords | null>(null);
  const act = useActId();
  const { account, verified, fields } = useBankAccount([], () => setFailure(null));

  async function send(reason: string): Promise<{ ok: true } | { ok: false; refusal: RefusalView }> {
    setFailure(null);
    if (where === "other" && verified === null) return { ok: false, refusal: toRefusalView("account_not_verified") };
    const to = where === "last" ? { account: null } : { account, password };
    const commandId = act.take(`${kobo} ${where} ${account.bankCode} ${account.accountNumber}`);
    const answer = await callApi("sendLeftCoins", { body: { commandId, playerId, kobo, ...to, reason } });
    act.settle(answer.ok ? undefined : answer.refusal);
    if (answer.ok) onEnded(answer.value);
    return answer;
  }

  return (
    <ActDialog
      words={{ ...WORDS, doneText: `${username}: ${formatNaira(toKobo(BigInt(kobo)))}` }}
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
            { value: "last", text: `Where they were paid last (${bankName})` },
            { value: "other", text: "Another account" },
          ]}
          onChange={setWhere}
        />
      )}
      {bankName !== null && !isCeo && <p className="muted">It goes where they were paid last, at {bankName}.</p>}
      {where === "other" && (
        <>
          <BankAccountFields {...fields} disabled={false} onRefused={setFailure} />
          {failure !== null && <Failure words={failure} />}
          <PasswordField hint="Asked each time another account is paid." value={password} onChange={setPassword} />
        </>
      )}
    </ActDialog>
  );
}
