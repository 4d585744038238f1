import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import { isDeposit } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import type { ProviderRefund } from "../provider/provider-status.ts";
import type { Deposit, RefundingDeposit } from "./deposit.ts";

/** Refunds of uncredited deposits: ordered at the provider and polled until they are conclusive. */
export interface Refunds {
  /** Orders the refund. False: the provider refused it, and the deposit is in review. */
  send(deposit: Deposit): Promise<boolean>;
  /** A step of the due loop: polls the provider. */
  step(deposit: RefundingDeposit): Promise<void>;
}

interface RefundsDeps {
  readonly time: Time;
  readonly paystack: Paystack;
  readonly updater: PaymentUpdater;
}

/** After an order. */
const FIRST_QUERY_AFTER_MS = 15 * SECOND_MS;

/** Whether the provider refuses because everything was refunded before. */
function isAlreadyRefunded(refusal: ProviderRefusal): boolean {
  return refusal.type === "refused" && /(fully|already).*(reversed|refunded)/i.test(refusal.message);
}

export function openRefunds(deps: RefundsDeps): Refunds {
  return { send: (deposit) => send(deps, deposit), step: (deposit) => step(deps, deposit) };
}

async function send({ time, paystack, updater }: RefundsDeps, deposit: Deposit): Promise<boolean> {
  const { reference } = deposit;
  const answer = await paystack.refund(reference);
  if (answer.ok || answer.refusal.type !== "refused" || isAlreadyRefunded(answer.refusal)) {
    // An unknown outcome counts as ordered; polling finds out.
    const isUnknown = !answer.ok && answer.refusal.type === "unknown";
    if (isUnknown) updater.notify(deposit, [], "refund_unknown");
    await updater.change(deposit, { attempts: 0, nextAttemptAt: addMs(time.now(), FIRST_QUERY_AFTER_MS) });
    return true;
  }
  await updater.apply({ reference, report: { type: "refund_refused" }, asOfRequest: deposit });
  return false;
}

async function step(deps: RefundsDeps, deposit: RefundingDeposit): Promise<void> {
  const { time, paystack, updater } = deps;
  const { reference } = deposit;
  const answer = await paystack.verifyCharge(reference);
  if (!answer.ok) return await updater.postpone(deposit);
  const charge = answer.value;
  const listed = charge === null ? null : await paystack.listRefunds(charge);
  if (listed?.ok === false) return await updater.postpone(deposit);
  const refunds: readonly ProviderRefund[] = listed?.value ?? [];
  const isKnown = charge?.status === "reversed" || refunds.some(({ status }) => status !== "failed");
  if (!isKnown && deposit.notFoundSince === null) {
    const at = time.now();
    await updater.change(deposit, { notFoundSince: at, attempts: 0, nextAttemptAt: addMs(at, FIRST_QUERY_AFTER_MS) });
    return;
  }
  const report = { type: "ordered_refund", charge, refunds } as const;
  const applied = await updater.apply({ reference, report, asOfRequest: deposit });
  if (applied?.effect?.type === "retry_refund" && isDeposit(applied.payment)) await send(deps, applied.payment);
}
