import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import type { ProviderRefund } from "../provider/provider-status.ts";
import type { Settler } from "../settlement/settler.ts";
import { decideRefund, decideRefundRefused } from "./decide-refund.ts";

/** Deposits on their way back to who paid them: told to the provider, and then asked about until it is conclusive. */
export interface Refunds {
  /** Tells the provider to send it back. False: it certainly does not, and the payment is in review. */
  send(payment: Payment): Promise<boolean>;
  /** One step of a refund that is due and claimed. */
  step(payment: Payment): Promise<void>;
}

export interface RefundsDeps {
  readonly time: Time;
  readonly paystack: Paystack;
  readonly settler: Settler;
}

/** From the order to the first question. */
const SETTLING_MS = 15 * SECOND_MS;

/** Whether the provider refuses because it has sent everything back already. */
function isDone(refusal: ProviderRefusal): boolean {
  return refusal.type === "refused" && /(fully|already).*(reversed|refunded)/i.test(refusal.message);
}

export function openRefunds({ time, paystack, settler }: RefundsDeps): Refunds {
  async function send(payment: Payment): Promise<boolean> {
    const answer = await paystack.refund(payment.reference);
    if (answer.ok || answer.refusal.type !== "refused" || isDone(answer.refusal)) {
      const alert = !answer.ok && answer.refusal.type === "unknown" ? "refund_unknown" : null;
      if (alert !== null) settler.notify(payment, [], alert);
      await settler.change(payment, { attempts: 0, nextAttemptAt: addMs(time.now(), SETTLING_MS) });
      return true;
    }
    await settler.settle({
      reference: payment.reference,
      reported: null,
      asOfRequest: payment,
      decide: (now) => decideRefundRefused(now),
    });
    return false;
  }

  return {
    send,
    async step(payment) {
      const { reference } = payment;
      const charge = await paystack.verifyCharge(reference);
      if (!charge.ok) return await settler.postpone(payment);
      const listed = charge.value === null ? null : await paystack.listRefunds(charge.value);
      if (listed?.ok === false) return await settler.postpone(payment);
      const refunds: readonly ProviderRefund[] = listed?.value ?? [];
      const isHeardOf = charge.value?.status === "reversed" || refunds.some(({ status }) => status !== "failed");
      if (!isHeardOf && payment.notFoundSince === null) {
        const at = time.now();
        await settler.change(payment, { notFoundSince: at, attempts: 0, nextAttemptAt: addMs(at, SETTLING_MS) });
        return;
      }
      let isToBeSent = false;
      const after = await settler.settle({
        reference,
        reported: charge.value,
        asOfRequest: payment,
        decide: (now, at) => {
          const effect = decideRefund(now, charge.value, refunds, at);
          isToBeSent = effect.type === "send_again";
          return effect;
        },
      });
      if (isToBeSent && after !== null) await send(after);
    },
  };
}
