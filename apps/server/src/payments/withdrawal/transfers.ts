import { addMs, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import type { Settler } from "../settlement/settler.ts";
import { saveTransferSent } from "../store/claim-store.ts";
import { decideRefused, decideTransfer } from "./decide-transfer.ts";

/** Takes money out one step further: recipient, transfer, and then the question what became of it. */
export interface Transfers {
  /** @param claimedUntil names the claim under which the step is made */
  step(payment: Payment, claimedUntil: Payment["createdAt"]): Promise<void>;
}

export interface TransfersDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly settler: Settler;
}

/** From the order to the first question; and from what only people can mend to the next attempt. */
const SETTLING_MS = 2 * SECOND_MS;
const MENDING_MS = 5 * MINUTE_MS;
const NARRATION = "Holo Arena withdrawal";

/** How the provider has refused to send. */
type TransferRefusal = "duplicate" | "no_funds" | "no_access" | "rate_limited" | "other" | "unknown";

function toTransferRefusal(refusal: ProviderRefusal): TransferRefusal {
  if (refusal.type !== "refused") return refusal.type;
  const { code, message, httpStatus } = refusal;
  if (code === "duplicate_transfer_reference" || /reference.*(exist|unique|duplicate)/i.test(message))
    return "duplicate";
  if (code === "insufficient_balance" || /balance is not enough/i.test(message)) return "no_funds";
  return httpStatus === 401 || httpStatus === 403 ? "no_access" : "other";
}

export function openTransfers({ database, time, paystack, settler }: TransfersDeps): Transfers {
  /** Asks what became of it, and does what the answer means. */
  async function verify(payment: Payment): Promise<void> {
    const answer = await paystack.verifyTransfer(payment.reference);
    if (!answer.ok) return await settler.postpone(payment);
    const word = answer.value;
    if (word === null && payment.money === "held" && payment.notFoundSince === null) {
      const at = time.now();
      await settler.change(payment, { notFoundSince: at, attempts: 0, nextAttemptAt: addMs(at, SETTLING_MS) });
      return;
    }
    await settler.settle({
      reference: payment.reference,
      reported: word,
      asOfRequest: payment,
      decide: (now, at) => decideTransfer(now, word, "answer", at),
    });
  }

  /** The provider has certainly not taken the order, and will once somebody has mended what is wrong. */
  async function wait(payment: Payment, alert: string): Promise<void> {
    const nextAttemptAt = addMs(time.now(), MENDING_MS);
    const reason = "Waiting for our bank. Your payment will be sent as soon as possible.";
    await settler.change(payment, { status: "pending", reason, sentAt: null, nextAttemptAt }, alert);
  }

  /** A refusal for good: believed once the provider, asked for the reference, knows nothing of it either. */
  async function returnCoins(payment: Payment): Promise<void> {
    const answer = await paystack.verifyTransfer(payment.reference);
    if (!answer.ok) return await settler.postpone(payment);
    const word = answer.value;
    await settler.settle({
      reference: payment.reference,
      reported: word,
      asOfRequest: payment,
      decide: (now, at) => (word === null ? decideRefused(now) : decideTransfer(now, word, "answer", at)),
    });
  }

  async function provideRecipient(payment: Payment): Promise<string | null> {
    if (payment.recipientCode !== null) return payment.recipientCode;
    const { account } = payment;
    if (account === null) return null;
    const answer = await paystack.createRecipient(account);
    if (answer.ok) return answer.value.recipientCode;
    const refused = toTransferRefusal(answer.refusal);
    if (refused === "no_access") await wait(payment, "provider_access");
    else if (refused === "other") await returnCoins(payment);
    else await settler.postpone(payment);
    return null;
  }

  async function send(payment: Payment, claimedUntil: Payment["createdAt"]): Promise<void> {
    const recipientCode = await provideRecipient(payment);
    if (recipientCode === null) return;
    const sentAt = time.now();
    if (!(await saveTransferSent(database.kysely, payment.id, claimedUntil, recipientCode, sentAt))) return;
    const sent: Payment = { ...payment, recipientCode, sentAt, notFoundSince: null };
    const answer = await paystack.transfer({
      kobo: sent.kobo,
      recipientCode,
      reference: sent.reference,
      reason: NARRATION,
    });
    if (answer.ok) {
      const { status } = answer.value;
      const nextAttemptAt = addMs(time.now(), SETTLING_MS);
      if (status === "otp") {
        const reason = "Waiting for our confirmation.";
        await settler.change(sent, { status: "pending", reason, attempts: 0, nextAttemptAt }, "transfer_otp");
      } else await settler.change(sent, { status: "processing", reason: null, attempts: 0, nextAttemptAt });
      return;
    }
    switch (toTransferRefusal(answer.refusal)) {
      case "no_funds":
        return await wait(sent, "provider_balance");
      case "no_access":
        return await wait(sent, "provider_access");
      case "rate_limited":
        await settler.change(sent, { sentAt: null, nextAttemptAt: addMs(time.now(), 10 * SECOND_MS) });
        return;
      case "other":
        return await returnCoins(sent);
      case "duplicate":
      case "unknown":
        // It may be on its way: from here on only its reference is asked for.
        await settler.change(sent, { attempts: 0, nextAttemptAt: addMs(time.now(), SETTLING_MS) });
        return;
    }
  }

  return {
    step: (payment, claimedUntil) =>
      payment.money === "held" && payment.sentAt === null ? send(payment, claimedUntil) : verify(payment),
  };
}
