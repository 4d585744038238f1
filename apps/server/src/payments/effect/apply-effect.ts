import type { Instant } from "@holo/kernel/instant.ts";
import type { Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Deposit } from "../deposit/deposit.ts";
import type { Payment } from "../payment.ts";
import { isSameReason } from "../payment-base.ts";
import { changePayment } from "../store/payment-store.ts";
import type { Withdrawal } from "../withdrawal/withdrawal.ts";
import { applyDepositEffect } from "./apply-deposit-effect.ts";
import { applyWithdrawalEffect } from "./apply-withdrawal-effect.ts";
import type { AskEffect, DepositEffect, ReportSource, SetStatusEffect, WithdrawalEffect } from "./effect.ts";
import type { PostingResult } from "./posting-result.ts";

export type Decision =
  | { readonly kind: "deposit"; readonly payment: Deposit; readonly effect: DepositEffect }
  | { readonly kind: "withdrawal"; readonly payment: Withdrawal; readonly effect: WithdrawalEffect };

export interface AppliedEffect {
  readonly payment: Payment;
  readonly wallets: readonly Wallet[];
  readonly alert: string | null;
}

/**
 * Posts the effect and writes it into the locked row: both or neither. Only an answer ends the
 * polling. `report` is the provider's text; null without one.
 */
export async function applyEffect(
  tx: Tx,
  decision: Decision,
  { source, report, at }: { readonly source: ReportSource; readonly report: string | null; readonly at: Instant },
): Promise<AppliedEffect> {
  const { payment } = decision;
  const { change, wallets, alert } = await post(tx, decision, at);
  const isPollingKept = source === "webhook" && change.nextAttemptAt === null && payment.nextAttemptAt !== null;
  const polling = isPollingKept ? { nextAttemptAt: payment.nextAttemptAt } : {};
  const provider = report === null || !isConclusive(decision) ? {} : { provider: report };
  return { payment: await changePayment(tx, payment, { ...change, ...polling, ...provider }, at), wallets, alert };
}

/** Whether the report led to a decision and is kept with the payment. */
function isConclusive({ effect }: Decision): boolean {
  return effect.type !== "ask" && effect.type !== "send_again" && effect.type !== "retry_refund";
}

async function post(tx: Tx, decision: Decision, at: Instant): Promise<PostingResult> {
  if (decision.kind === "deposit") {
    const { payment, effect } = decision;
    return effect.type === "ask" || effect.type === "set_status"
      ? toStatusChange(payment, effect, at)
      : await applyDepositEffect(tx, payment, effect, at);
  }
  const { payment, effect } = decision;
  return effect.type === "ask" || effect.type === "set_status"
    ? toStatusChange(payment, effect, at)
    : await applyWithdrawalEffect(tx, payment, effect, at);
}

function toStatusChange(payment: Payment, effect: SetStatusEffect | AskEffect, at: Instant): PostingResult {
  if (effect.type === "ask") return { change: { nextAttemptAt: at, attempts: 0 }, wallets: [], alert: null };
  const { status, reason, nextAttemptAt, alert } = effect;
  const isNew = payment.status !== status || !isSameReason(payment.reason, reason);
  // An order from an earlier refund, which failed, would make it a refund in progress.
  const isTaken = status === "reversed" && payment.status !== "reversed";
  const order = isTaken ? { sentAt: null } : {};
  const change = { status, reason, nextAttemptAt, ...order, attempts: payment.attempts + 1 };
  return { change, wallets: [], alert: isNew ? alert : null };
}
