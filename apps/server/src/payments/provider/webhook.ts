import { createHmac, timingSafeEqual } from "node:crypto";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { PaymentReport, PaymentUpdater } from "../effect/payment-updater.ts";
import { lockPaymentAndLimits } from "../store/payment-store.ts";
import { isDisputeEnded, toDisputeEvent } from "./dispute-store.ts";
import { loadWebhook, markHandled, saveWebhook } from "./inbox-store.ts";
import { isJsonObject, type JsonObject, parseInteger, parseJsonObject, parseText } from "./json.ts";
import { findReference, type ProviderDispute } from "./provider-status.ts";

type WebhookRefusal = "bad_signature" | "unreadable";

export interface WebhookReceiver {
  /**
   * Receives a webhook as raw bytes. When this resolves, its row and its effect are committed; if
   * it rejects, neither is. A repeat is a success. `unreadable`: not a webhook.
   */
  receive(bytes: Uint8Array, signature: string | null): Promise<Result<null, WebhookRefusal>>;
  /** Carries out a listed dispute as its webhook, which may be lost. A known one has no effect. */
  receiveDispute(dispute: ProviderDispute): Promise<void>;
}

interface WebhookDeps {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly updater: PaymentUpdater;
  readonly secretKey: string;
  readonly wakeDueLoop: () => void;
}

interface WebhookEvent {
  readonly event: string;
  readonly reference: string;
  readonly data: JsonObject;
}

const DISPUTE_END = "charge.dispute.resolve";
const SIGNATURE = /^[0-9a-f]{128}$/i;
/** The inbox stores 100 characters, including a dispute's number. */
const EVENT_LENGTH_MAX = 70;
const REFERENCE_LENGTH_MAX = 200;

export function openWebhookReceiver(deps: WebhookDeps): WebhookReceiver {
  const { database, log, metrics, secretKey } = deps;
  const received = metrics.counter("holo_webhooks_total", "Webhooks with a valid signature");
  const forged = metrics.counter("holo_webhooks_refused_total", "Webhooks with a missing or wrong signature");
  const unknown = metrics.counter("holo_webhooks_strange_total", "Signed webhooks for an unknown payment or event");
  return {
    async receive(bytes, signature) {
      if (!hasValidSignature(bytes, signature, secretKey)) {
        forged.inc();
        return refuse("bad_signature");
      }
      received.inc();
      const body = Buffer.from(bytes).toString("utf8");
      const webhook = parseWebhook(body);
      if (webhook === null) {
        unknown.inc();
        log.error("a signed webhook could not be parsed");
        return refuse("unreadable");
      }
      const isKnown = await transact(database, (tx, afterCommit) =>
        storeAndApply(tx, afterCommit, deps, webhook, body),
      );
      if (!isKnown) {
        unknown.inc();
        const { event, reference } = webhook;
        log.warn({ event, reference }, "a webhook names an unknown payment");
      }
      return ok(null);
    },
    async receiveDispute({ id, reference, resolution }) {
      const event = resolution === null ? "charge.dispute.create" : DISPUTE_END;
      const data = { id, resolution, transaction: { reference } };
      const body = JSON.stringify({ event, data });
      await transact(database, (tx, afterCommit) =>
        storeAndApply(tx, afterCommit, deps, { event, reference, data }, body),
      );
    },
  };
}

type ReplayRefusal = "no_webhook" | "body_removed" | "no_payment";

/**
 * Carries out a stored webhook as if the provider sent it again. False if it was handled before,
 * and nothing changed.
 */
export async function replayWebhook(
  tx: Tx,
  afterCommit: (effect: () => void) => void,
  deps: Pick<WebhookDeps, "time" | "updater" | "wakeDueLoop">,
  id: bigint,
): Promise<Result<boolean, ReplayRefusal>> {
  const stored = await loadWebhook(tx, id);
  if (stored === null) return refuse("no_webhook");
  if (stored.handledAt !== null) return ok(false);
  const webhook = parseWebhook(stored.body);
  if (webhook === null) return refuse("body_removed");
  return (await storeAndApply(tx, afterCommit, deps, webhook, stored.body)) ? ok(true) : refuse("no_payment");
}

/** Compares in constant time. */
function hasValidSignature(bytes: Uint8Array, signature: string | null, secretKey: string): boolean {
  if (signature === null || !SIGNATURE.test(signature)) return false;
  return timingSafeEqual(createHmac("sha512", secretKey).update(bytes).digest(), Buffer.from(signature, "hex"));
}

function parseWebhook(text: string): WebhookEvent | null {
  const body = parseJsonObject(text);
  const event = parseText(body?.event);
  if (event === null || event.length > EVENT_LENGTH_MAX || !isJsonObject(body?.data)) return null;
  const reference = findReference(body.data);
  const isReference = reference !== null && reference.length <= REFERENCE_LENGTH_MAX;
  return isReference ? { event, reference, data: body.data } : null;
}

function isDispute(event: string): boolean {
  return event.startsWith("charge.dispute.");
}

/** Only a dispute's webhook is a fact. Others cause a query and move nothing (ruling 59). */
function toReport({ event, data }: WebhookEvent): PaymentReport | null {
  if (isDispute(event)) {
    const isDeclined = event === DISPUTE_END ? data.resolution === "declined" : null;
    return { type: "dispute", isDeclined };
  }
  return ["charge.", "transfer.", "refund."].some((kind) => event.startsWith(kind)) ? { type: "event" } : null;
}

/** Stores the webhook and applies it. Returns false if it is about no known payment or event. */
async function storeAndApply(
  tx: Tx,
  afterCommit: (effect: () => void) => void,
  { time, updater, wakeDueLoop }: Pick<WebhookDeps, "time" | "updater" | "wakeDueLoop">,
  webhook: WebhookEvent,
  body: string,
): Promise<boolean> {
  const { event, reference, data } = webhook;
  const report = toReport(webhook);
  const stored = {
    event: isDispute(event) ? toDisputeEvent(event, parseInteger(data.id)) : event,
    reference,
    body,
    isDisputeOver: report?.type === "dispute" ? report.isDeclined : null,
  };
  // The row is written first: a concurrent copy waits here and then finds it handled.
  const isFirst = await saveWebhook(tx, stored, time.now());
  // Refunds of a charge repeat one event, an early one may be untrue, and asking again is harmless.
  if (!isFirst && isDispute(event)) return true;
  if (isDispute(event) && event !== DISPUTE_END) {
    // The payment's lock serializes a dispute's concurrent start and end.
    const payment = await lockPaymentAndLimits(tx, reference);
    if (payment !== null && (await isDisputeEnded(tx, stored.event, reference))) {
      await markHandled(tx, stored, time.now());
      return true;
    }
  }
  const applied = report && (await updater.applyWithin(tx, afterCommit, { reference, report }));
  if (applied === null) return false;
  await markHandled(tx, stored, time.now());
  afterCommit(wakeDueLoop);
  return true;
}
