import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import { serverClock } from "../../../lib/clock/server-clock.ts";
import { findDepositReturn } from "../../../lib/session/wanted-deposit.ts";
import { formatNaira } from "../../../shared/money/naira.ts";
import { describePayment, isOpen } from "../../../shared/money/payment-text.ts";
import { ButtonLink, IconButton } from "../../../ui/button/button.tsx";
import { Icon, type IconName } from "../../../ui/icon/icon.tsx";
import type { ReturnedDeposit } from "./use-returned-deposit.ts";
import "./deposit-result.css";

interface DepositResultProps {
  readonly returned: ReturnedDeposit;
  readonly known: PaymentView | undefined;
  readonly onClose: () => void;
}

export function DepositResult({ returned, known, onClose }: DepositResultProps) {
  const { kind, icon, title, text } = toResult(returned, known);
  const page = findDepositReturn(returned.reference);
  return (
    <div className={`deposit-result ${kind}`}>
      <Icon name={icon} size={24} />
      <p role="status">
        <b>{title}</b>
        <span>{text}</span>
      </p>
      {page !== null && (
        <ButtonLink href={page} size="small">
          Back to your match
        </ButtonLink>
      )}
      <IconButton icon="close" label="Dismiss" onClick={onClose} />
    </div>
  );
}

interface Result {
  readonly kind: "done" | "failed" | "waiting";
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
}

function toResult({ answer }: ReturnedDeposit, known: PaymentView | undefined): Result {
  const payment = known ?? (answer !== null && "status" in answer ? answer : undefined);
  if (payment === undefined) {
    if (answer === null || "status" in answer) {
      return { kind: "waiting", icon: "clock", title: "Checking your payment...", text: "This takes a moment." };
    }
    return { kind: "failed", icon: "warn", title: answer.title, text: answer.text };
  }
  const naira = formatNaira(BigInt(payment.kobo) as Kobo);
  if (payment.status === "completed") {
    const arrived = `${naira} arrived, and ${formatCoins(readCoins(payment.coins))} HC are in your wallet.`;
    const text = payment.reason === null ? arrived : `${arrived} ${payment.reason}`;
    return { kind: "done", icon: "check", title: "Deposit completed", text };
  }
  const text = describePayment(payment, serverClock.now());
  if (!isOpen(payment)) return { kind: "failed", icon: "warn", title: `Deposit of ${naira} not made`, text };
  const title = payment.status === "review" ? "Deposit in review" : `Deposit of ${naira} pending`;
  return { kind: "waiting", icon: "clock", title, text: `${text} This page updates by itself.` };
}
