import { createHmac, timingSafeEqual } from "node:crypto";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import { decideDeposit, decideDispute } from "../deposit/decide-deposit.ts";
import { isMoneyOut, type Payment } from "../payment.ts";
import type { Effect } from "../settlement/effect.ts";
import type { Settler } from "../settlement/settler.ts";
import { lockPaymentAndLimits } from "../store/payment-store.ts";
import { decideTransfer } from "../withdrawal/decide-transfer.ts";
import { isDisputeOver, markHandled, saveWebhook, toDisputeEvent } from "./inbox-store.ts";
import { isJsonObject, type JsonObject, parseInteger, parseJsonObject, parseText } from "./json.ts";
import {
  findReference,
  type ProviderCharge,
  type ProviderTransfer,
  parseCharge,
  parseTransfer,
} from "./provider-status.ts";

export type WebhookRefusal = "bad_signature" | "unreadable";

export interface WebhookReceiver {
  /**
   * Takes a webhook by its raw bytes: its row and its effect are committed when this resolves, and a rejection means that neither is.
   * What came before has no effect, and is a success. Refusals: `bad_signature`; `unreadable` for what is signed and no webhook.
   */
  receive(bytes: Uint8Array, signature: string | null): Promise<Result<null, WebhookRefusal>>;
}

export interface WebhookDeps {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settler: Settler;
  readonly secretKey: string;
  /** Something is due at once. */
  readonly wake: () => void;
}

const SIGNATURE = /^[0-9a-f]{128}$/i;

/** Whether this is what signs these very bytes; takes as long whatever is wrong with it. */
function isSignature(bytes: Uint8Array, signature: string | null, secretKey: string): boolean {
  if (signature === null || !SIGNATURE.test(signature)) return false;
  return timingSafeEqual(createHmac("sha512", secretKey).update(bytes).digest(), Buffer.from(signature, "hex"));
}

interface WebhookEvent {
  readonly event: string;
  readonly reference: string;
  readonly data: JsonObject;
}

/** The inbox keeps 100 characters, a dispute's number among them. */
const EVENT_LENGTH_MAX = 70;

function parseWebhook(text: string): WebhookEvent | null {
  const body = parseJsonObject(text);
  const event = parseText(body?.event);
  if (event === null || event.length > EVENT_LENGTH_MAX || !isJsonObject(body?.data)) return null;
  const reference = findReference(body.data);
  return reference === null || reference.length > 200 ? null : { event, reference, data: body.data };
}

function isDispute(event: string): boolean {
  return event.startsWith("charge.dispute.");
}

/** The word that a webhook carries, and what it means. Null: an event that says nothing about anybody's coins. */
function toReport({ event, data }: WebhookEvent): {
  readonly word: ProviderCharge | ProviderTransfer | null;
  readonly decide: (payment: Payment, now: Payment["createdAt"]) => Effect;
} | null {
  if (isDispute(event)) {
    const isDeclined = event === "charge.dispute.resolve" ? data.resolution === "declined" : null;
    return { word: null, decide: (payment, now) => decideDispute(payment, isDeclined, now) };
  }
  if (event.startsWith("refund.")) {
    // How much was paid back, of what, and whether it was this time, the provider's lists say.
    return { word: null, decide: () => ({ type: "ask" }) };
  }
  if (event.startsWith("charge.")) {
    const word = parseCharge(data);
    return word === null ? null : { word, decide: (payment, now) => decideDeposit(payment, word, "webhook", now) };
  }
  if (event.startsWith("transfer.")) {
    const word = parseTransfer(data);
    return word === null ? null : { word, decide: (payment, now) => decideTransfer(payment, word, "webhook", now) };
  }
  return null;
}

export function openWebhookReceiver({
  database,
  time,
  log,
  metrics,
  settler,
  secretKey,
  wake,
}: WebhookDeps): WebhookReceiver {
  const received = metrics.counter("holo_webhooks_total", "Webhooks that were signed by the provider");
  const forged = metrics.counter("holo_webhooks_refused_total", "Webhooks whose signature was missing or wrong");
  const strange = metrics.counter(
    "holo_webhooks_strange_total",
    "Signed webhooks of no payment of ours or of no known event",
  );

  return {
    async receive(bytes, signature) {
      if (!isSignature(bytes, signature, secretKey)) {
        forged.inc();
        return refuse("bad_signature");
      }
      received.inc();
      const body = Buffer.from(bytes).toString("utf8");
      const told = parseWebhook(body);
      if (told === null) {
        strange.inc();
        log.error("a signed webhook could not be read");
        return refuse("unreadable");
      }
      const { event, reference } = told;
      await transact(database, async (tx, afterCommit) => {
        // Its own row first: the second of two at once waits here, and then finds it handled.
        const kept = {
          event: isDispute(event) ? toDisputeEvent(event, parseInteger(told.data.id)) : event,
          reference,
          body,
        };
        const isFirst = await saveWebhook(tx, kept, time.now());
        // A charge can be refunded in parts, under one name; to ask about it once more does no harm.
        if (!isFirst && !event.startsWith("refund.")) return;
        // Under the payment's lock, so that of a dispute's beginning and end that come at once one sees the other.
        if (
          isDispute(event) &&
          event !== "charge.dispute.resolve" &&
          (await lockPaymentAndLimits(tx, reference)) !== null
        ) {
          if (await isDisputeOver(tx, kept)) return await markHandled(tx, kept, time.now());
        }
        const understood = toReport(told);
        const kindOf = (payment: Payment): boolean => event.startsWith("transfer.") === isMoneyOut(payment);
        const settled =
          understood === null
            ? null
            : await settler.settleWithin(tx, afterCommit, {
                reference,
                reported: understood.word,
                decide: (payment, now) => (kindOf(payment) ? understood.decide(payment, now) : { type: "ask" }),
              });
        if (settled === null) {
          strange.inc();
          log.warn({ event, reference }, "a webhook is about no payment of ours");
          return;
        }
        await markHandled(tx, kept, time.now());
        afterCommit(wake);
      });
      return ok(null);
    },
  };
}
