import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Time } from "../platform/time.ts";
import { decideRefund, decideRefundRefused } from "./decide-refund.ts";
import type { Payment } from "./payment.ts";
import type { Paystack } from "./paystack.ts";
import type { ProviderRefusal } from "./paystack-wire.ts";
import type { Settler } from "./settle.ts";
import type { RefundWord } from "./word.ts";

/** Deposits on their way back to who paid them: told to the provider, and then asked about until it is conclusive. */
export interface Refunds {
  /** Tells the provider to send it back. False: it certainly does not, and the payment is in review. */
  send(payment: Payment): Promise<boolean>;
  /** One step of a refund that is due and claimed. */
  step(payment: Payment): Promise<void>;
}

export interface RefundsOptions {
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

export function openRefunds({ time, paystack, settler }: RefundsOptions): Refunds {
  async function send(payment: Payment): Promise<boolean> {
    const answer = await paystack.refund(payment.reference);
    if (answer.ok || answer.refusal.type !== "refused" || isDone(answer.refusal)) {
      const alert = !answer.ok && answer.refusal.type === "unknown" ? "refund_unknown" : null;
      if (alert !== null) settler.tell(payment, [], alert);
      await settler.change(payment, { attempts: 0, nextAttemptAt: addMs(time.now(), SETTLING_MS) });
      return true;
    }
    await settler.settle({
      reference: payment.reference,
      word: null,
      asked: payment,
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
      const refunds: readonly RefundWord[] = listed?.value ?? [];
      const isHeardOf = charge.value?.status === "reversed" || refunds.some(({ status }) => status !== "failed");
      if (!isHeardOf && payment.askedSince === null) {
        const at = time.now();
        await settler.change(payment, { askedSince: at, attempts: 0, nextAttemptAt: addMs(at, SETTLING_MS) });
        return;
      }
      let isToBeSent = false;
      const after = await settler.settle({
        reference,
        word: charge.value,
        asked: payment,
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
