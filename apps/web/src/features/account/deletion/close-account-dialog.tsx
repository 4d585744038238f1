import { type Coins, formatCoins, type Kobo, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import type { ClosingObstacle, ClosingView } from "@holo/protocol/accounts/account-deletion.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RouteRefusal } from "@holo/protocol/routes.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi, fetchApi } from "../../../lib/api/api.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { toFailure } from "../../../lib/api/failure.ts";
import { idempotencyKeys } from "../../../lib/api/idempotency-keys.ts";
import { refreshQueries } from "../../../lib/api/query.tsx";
import { receiveLimits, useSession } from "../../../lib/session/session.ts";
import { BankAccountFields, useBankAccount } from "../../../shared/money/bank-account-fields.tsx";
import { formatNaira } from "../../../shared/money/naira.ts";
import { UnverifiedEmailNote } from "../../../shared/people/unverified-email-note.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Receipt, ReceiptRow, ReceiptTotal } from "../../../ui/data/receipt.tsx";
import { RefusalNote } from "../../../ui/feedback/failure-note.tsx";
import { Note } from "../../../ui/feedback/note.tsx";
import { PasswordField } from "../../../ui/form/password-field.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { FormDialog } from "../../../ui/overlay/form-dialog.tsx";
import { notify } from "../../../ui/overlay/notify.ts";
import "./close-account-dialog.css";
import { useAttempts } from "../../../ui/form/attempts.ts";

interface CloseAccountDialogProps {
  readonly playerId: string;
  readonly onClose: () => void;
}

const OBSTACLE_REFUSALS: Readonly<Record<ClosingObstacle, RouteRefusal<"closeAccount">>> = {
  game_to_finish: "game_to_finish",
  debts_open: "debts_open",
  withdrawals_held: "withdrawals_held",
  not_settled: "not_settled_to_close",
};

export function CloseAccountDialog({ playerId, onClose }: CloseAccountDialogProps) {
  const queryKey = ["closing", playerId];
  const { data, isError } = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchApi("closing", {}, signal),
    staleTime: 0,
    gcTime: 0,
  });

  if (data === undefined) {
    return (
      <Dialog title="Close Your Account?" onClose={onClose} actions={<Button onClick={onClose}>Not Now</Button>}>
        <p className="muted" role="status">
          {isError ? "We couldn't load your figures. Please try again in a moment." : "Loading your figures..."}
        </p>
      </Dialog>
    );
  }
  return (
    <CloseAccountForm
      key={`${data.kobo} ${data.feeKobo}`}
      closing={data}
      onClose={onClose}
      onChanged={() => void refreshQueries(queryKey)}
    />
  );
}

interface CloseAccountFormProps {
  readonly closing: ClosingView;
  readonly onClose: () => void;
  /** The payout has changed since the dialog loaded. */
  readonly onChanged: () => void;
}

function CloseAccountForm({ closing, onClose, onChanged }: CloseAccountFormProps) {
  const { player, limits } = useSession();
  const { obstacle, accounts, emailVerified, closingAt } = closing;
  const [kobo, feeKobo] = [toKobo(BigInt(closing.kobo)), toKobo(BigInt(closing.feeKobo))];
  const [remainder, balance] = [readCoins(closing.remainder), readCoins(closing.balance)];
  const isPaid = kobo > 0n;
  const [password, setPassword] = useState("");
  const { failure, setFailure, attempt } = useAttempts();
  const [isSending, setSending] = useState(false);
  const { account, verified, fields } = useBankAccount(accounts, () => setFailure(null));
  const isBlocked = obstacle !== null || (isPaid && !emailVerified) || (closingAt !== null && balance === ZERO_COINS);

  async function close() {
    setFailure(null);
    if (isPaid && verified === null) return setFailure(toRefusalView("account_not_verified"));
    if (password === "") return setFailure(toRefusalView("password_required_to_close"));
    setSending(true);
    const content = `closeAccount ${kobo} ${account.bankCode} ${account.accountNumber}`;
    const commandId = idempotencyKeys.keyFor(content);
    const answer = await attempt(async () => {
      const given = await callApi("closeAccount", {
        body: { commandId, kobo: Number(kobo), feeKobo: Number(feeKobo), account: isPaid ? account : null, password },
      });
      idempotencyKeys.complete(content, given.ok ? undefined : given.refusal);
      return given;
    });
    setSending(false);
    if (answer === null) return;
    if (!answer.ok) {
      const { code } = answer.refusal;
      if (code === "balance_changed" || code === "withdrawal_fee_changed") onChanged();
      return setFailure(toFailure(answer.refusal));
    }
    if (limits !== null) receiveLimits({ ...limits, closingAt: answer.value.closingAt });
    const text = isPaid ? `${formatNaira(kobo)} on the way to your bank.` : "There was nothing left to send.";
    notify({ kind: "done", title: "Account closed", text });
    onClose();
  }

  return (
    <FormDialog
      title={closingAt === null ? "Close Your Account?" : "Withdraw What's Left"}
      submitText={isBlocked ? null : toActText(isPaid, closingAt !== null)}
      className="close-account-form"
      kind="danger"
      busyText={isSending && "Closing..."}
      cancelText="Not Now"
      failure={failure}
      onSubmit={close}
      onClose={onClose}
    >
      <p>
        {closingAt === null
          ? "Once it's closed, you can't deposit or play, and you can't undo this yourself. Your statement stays."
          : "Your account is closing."}{" "}
        Anything that comes in later, such as a refund, stays yours to withdraw.
      </p>
      <PayoutReceipt balance={balance} remainder={remainder} kobo={kobo} feeKobo={feeKobo} />
      {closing.isFirstFromCard && obstacle === null && (
        <Note icon="clock">
          <strong>This takes 3 days.</strong> You paid for some of these coins by card and never played with them. The
          first time, we wait 72 hours and our team takes a look. Don't want to wait? Withdraw in your wallet first:
          there you can send the money back to your card at once.
        </Note>
      )}
      {obstacle !== null && <RefusalNote refusal={toRefusalView(OBSTACLE_REFUSALS[obstacle])} />}
      {isPaid && !emailVerified && player !== null && <UnverifiedEmailNote email={player.email} />}
      {!isBlocked && (
        <>
          {isPaid && <BankAccountFields {...fields} disabled={isSending} onRefused={setFailure} />}
          <PasswordField
            value={password}
            onChange={(password) => {
              setPassword(password);
              setFailure(null);
            }}
          />
        </>
      )}
    </FormDialog>
  );
}

function toActText(isPaid: boolean, isClosing: boolean): string {
  if (isClosing) return "Withdraw All";
  return isPaid ? "Withdraw and Close" : "Close Account";
}

interface PayoutReceiptProps {
  readonly balance: Coins;
  readonly remainder: Coins;
  readonly kobo: Kobo;
  readonly feeKobo: Kobo;
}

function PayoutReceipt({ balance, remainder, kobo, feeKobo }: PayoutReceiptProps) {
  return (
    <>
      <Receipt>
        <ReceiptRow term="In your wallet">{formatCoins(balance, "down", 6)} HC</ReceiptRow>
        {remainder > ZERO_COINS && (
          <ReceiptRow term="Less than one kobo">{formatCoins(remainder, "down", 6)} HC</ReceiptRow>
        )}
        {feeKobo > 0n && <ReceiptRow term="Withdrawal fee">−{formatNaira(feeKobo)}</ReceiptRow>}
        <ReceiptTotal term="To your bank">{formatNaira(kobo)}</ReceiptTotal>
      </Receipt>
      {feeKobo > 0n && (
        <p className="small muted">
          You never played with some of these coins. The fee is what Paystack charges us for depositing and sending
          them.
        </p>
      )}
      {remainder > ZERO_COINS && (
        <p className="small muted">
          We can't pay out less than one kobo. It goes to the account that rounds deposits up.
        </p>
      )}
    </>
  );
}
