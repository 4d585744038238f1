import { formatCoins, type Kobo } from "@holo/kernel/money.ts";
import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { readCoins } from "../../lib/coins.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { describePayment, isOpen } from "../../ui/money/payment-text.ts";
import { formatNaira } from "../../ui/naira.ts";
import type { ReturnedDeposit } from "./use-returned-deposit.ts";
import "./deposit-result.css";

interface DepositResultProps {
  readonly returned: ReturnedDeposit;
  /** What is known of it by now, where it was heard of again. */
  readonly known: PaymentView | undefined;
  readonly onClose: () => void;
}

/** How the payment went that the player comes back from; it changes by itself when more is heard. */
export function DepositResult({ returned, known, onClose }: DepositResultProps) {
  const { kind, icon, title, text } = toResult(returned, known);
  return (
    <div className={`deposit-result ${kind}`}>
      <Icon name={icon} size={24} />
      <p role="status">
        <b>{title}</b>
        <span>{text}</span>
      </p>
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
    const text = `${naira} arrived, and ${formatCoins(readCoins(payment.coins))} HC are in your wallet.`;
    return { kind: "done", icon: "check", title: "Deposit completed", text };
  }
  const text = describePayment(payment, Date.now());
  if (!isOpen(payment)) return { kind: "failed", icon: "warn", title: `Deposit of ${naira} not made`, text };
  const title = payment.status === "review" ? "Deposit in review" : `Deposit of ${naira} pending`;
  return { kind: "waiting", icon: "clock", title, text: `${text} This page shows at once what comes of it.` };
}
