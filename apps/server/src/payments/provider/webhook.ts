import { createHmac, timingSafeEqual } from "node:crypto";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit } from "../payment.ts";
import { lockPaymentAndLimits, question } from "../store/payment-store.ts";
import { isJsonObject, type JsonObject, parseJsonObject, parseText } from "./json.ts";
import { findReference, type ProviderDispute, parseDispute } from "./provider-status.ts";

type WebhookRefusal = "bad_signature" | "unreadable";

export interface WebhookReceiver {
  /**
   * Receives a webhook as raw bytes. When this resolves, the question that it causes is committed;
   * if it rejects, it is not. A repeat is a success. `unreadable`: not a webhook.
   */
  receive(bytes: Uint8Array, signature: string | null): Promise<Result<null, WebhookRefusal>>;
  /**
   * Stores a listed dispute like that of a webhook, which may be lost. False for an unknown
   * charge.
   */
  receiveDispute(dispute: ProviderDispute): Promise<boolean>;
}

interface WebhookDeps {
  readonly database: Database;
  readonly time: Time;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly follower: Follower;
  readonly secretKey: string;
  readonly wakeDueLoop: () => void;
}

interface WebhookEvent {
  readonly event: string;
  readonly reference: string;
  readonly data: JsonObject;
}

const DISPUTE = "charge.dispute.";
const KINDS = ["charge.", "transfer.", "refund."];
const SIGNATURE = /^[0-9a-f]{128}$/i;
const NAME_LENGTH_MAX = 200;

export function openWebhookReceiver(deps: WebhookDeps): WebhookReceiver {
  const { database, log, metrics, secretKey, time } = deps;
  const received = metrics.counter("holo_webhooks_total", "Webhooks with a valid signature");
  const forged = metrics.counter("holo_webhooks_refused_total", "Webhooks with a missing or wrong signature");
  const unknown = metrics.counter("holo_webhooks_strange_total", "Signed webhooks for an unknown payment or event");

  /** Only a dispute's webhook is a fact. Others cause a question and move nothing (ruling 59). */
  async function carryOut({ event, reference, data }: WebhookEvent): Promise<boolean> {
    if (event.startsWith(DISPUTE)) {
      const dispute = parseDispute(data);
      return dispute !== null && (await receiveDispute(dispute));
    }
    if (!KINDS.some((kind) => event.startsWith(kind))) return false;
    const isKnown = await question(database.kysely, reference, time.now());
    if (isKnown) deps.wakeDueLoop();
    return isKnown;
  }

  async function receiveDispute({ id, reference, stage, dueAt }: ProviderDispute): Promise<boolean> {
    const { follower } = deps;
    const isKnown = await transact(database, async (tx, afterCommit) => {
      const payment = await lockPaymentAndLimits(tx, reference);
      if (payment === null || !isDeposit(payment)) return false;
      const fact = { type: "dispute", id, stage, dueAt } as const;
      const { payment: after } = await follower.follow(tx, afterCommit, payment, [fact], {
        nextAskAt: payment.nextAskAt,
      });
      // The bank moves the money on its own: the charge is asked for.
      if (after.lastFact > payment.lastFact) await question(tx, reference, time.now());
      return true;
    });
    if (isKnown) deps.wakeDueLoop();
    return isKnown;
  }

  return {
    async receive(bytes, signature) {
      if (!hasValidSignature(bytes, signature, secretKey)) {
        forged.inc();
        return refuse("bad_signature");
      }
      received.inc();
      const webhook = parseWebhook(Buffer.from(bytes).toString("utf8"));
      if (webhook === null) {
        unknown.inc();
        log.error("a signed webhook could not be parsed");
        return refuse("unreadable");
      }
      if (!(await carryOut(webhook))) {
        unknown.inc();
        const { event, reference } = webhook;
        log.warn({ event, reference }, "a webhook names an unknown payment");
      }
      return ok(null);
    },
    receiveDispute,
  };
}

/** Compares in constant time. */
function hasValidSignature(bytes: Uint8Array, signature: string | null, secretKey: string): boolean {
  if (signature === null || !SIGNATURE.test(signature)) return false;
  return timingSafeEqual(createHmac("sha512", secretKey).update(bytes).digest(), Buffer.from(signature, "hex"));
}

function parseWebhook(text: string): WebhookEvent | null {
  const body = parseJsonObject(text);
  const event = parseText(body?.event);
  if (event === null || event.length > NAME_LENGTH_MAX || !isJsonObject(body?.data)) return null;
  const reference = findReference(body.data);
  const isReference = reference !== null && reference.length <= NAME_LENGTH_MAX;
  return isReference ? { event, reference, data: body.data } : null;
}
