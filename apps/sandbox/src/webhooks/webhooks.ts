import { createHmac } from "node:crypto";
import { assert, assertNever } from "@holo/kernel/assert.ts";
import { HOUR_MS } from "@holo/kernel/instant.ts";
import { takeFault } from "../faults/fault-queue.ts";
import type { Fault, WebhookFault } from "../faults/faults.ts";
import { distortBody } from "../faults/untrue-answers.ts";
import { formatJson, type JsonObject, parseJson } from "../http/json.ts";
import type { Settings } from "../settings.ts";
import type { Clock } from "../state/clock.ts";
import type { Scheduler } from "../state/scheduler.ts";
import { type Delivery, type DeliveryStatus, type State, takeSequence } from "../state/state.ts";

const MINUTE_MS = 60_000;
const LATE_MS = 10 * MINUTE_MS;

/** The wait after each failed attempt. */
const RETRY_PLANS: { readonly [Plan in Settings["retryPlan"]]: readonly number[] } = {
  live: [...Array<number>(4).fill(3 * MINUTE_MS), ...Array<number>(72).fill(HOUR_MS)],
  test: Array<number>(10).fill(HOUR_MS),
};

/** The sent text and its signature. */
interface SignedBody {
  readonly body: string;
  readonly signature: string | null;
}

export interface Webhooks {
  notify(event: string, reference: string, data: JsonObject): void;
  /** One attempt to deliver a webhook; schedules the next one. */
  deliver(deliveryId: number): Promise<void>;
  /** Sends the held webhooks, last first. */
  release(): void;
  /**
   * Sends a custom body once, signed unless a signature is given.
   * @returns the receiver's status, or what went wrong
   */
  send(body: string, signature?: string): Promise<number | string>;
  /** Aborts open attempts. */
  close(): void;
}

export interface WebhooksDeps {
  readonly state: State;
  readonly clock: Clock;
  readonly scheduler: () => Scheduler;
  readonly secretKey: string;
}

/** `x-paystack-signature`: HMAC-SHA512 of the raw body with the secret key, in hex. */
function signWebhook(body: string, secretKey: string): string {
  return createHmac("sha512", secretKey).update(body).digest("hex");
}

export function openWebhooks({ state, clock, scheduler, secretKey }: WebhooksDeps): Webhooks {
  const closing = new AbortController();
  const sign = (body: string): SignedBody => ({ body, signature: signWebhook(body, secretKey) });

  function schedule(deliveryId: number, at: number): void {
    scheduler().schedule({ type: "deliver", deliveryId }, at);
  }

  function setStatus(deliveryId: number, status: DeliveryStatus): void {
    state.deliveries.set(deliveryId, { ...findDelivery(deliveryId), status });
  }

  function findDelivery(deliveryId: number): Delivery {
    const delivery = state.deliveries.get(deliveryId);
    assert(delivery !== undefined, "a delivery stays known");
    return delivery;
  }

  async function post({ body, signature }: SignedBody): Promise<number | string> {
    const { webhookUrl, webhookTimeoutMs } = state.settings;
    if (webhookUrl === null) return "no address";
    const headers = {
      "content-type": "application/json",
      "user-agent": "Holo-Sandbox",
      ...(signature === null ? {} : { "x-paystack-signature": signature }),
    };
    try {
      const response = await fetch(webhookUrl, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(webhookTimeoutMs)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      // The next attempt follows whatever the receiver's fault was.
      return error instanceof Error ? error.name : String(error);
    }
  }

  function recordAttempt(deliveryId: number, answer: number | string, fault: WebhookFault | null): void {
    const delivery = state.deliveries.get(deliveryId);
    // The state was reset during the attempt.
    if (delivery === undefined) return;
    const attempts = [...delivery.attempts, { at: clock.now(), answer, fault }];
    if (answer === 200 && fault !== "unheard") {
      state.deliveries.set(deliveryId, { ...delivery, attempts, status: "delivered" });
      return;
    }
    const waitMs = RETRY_PLANS[state.settings.retryPlan][attempts.length - 1];
    state.deliveries.set(deliveryId, { ...delivery, attempts, status: waitMs === undefined ? "given_up" : "waiting" });
    if (waitMs !== undefined) schedule(deliveryId, clock.now() + waitMs * state.settings.retryScale);
  }

  function release(): void {
    const held = [...state.deliveries.values()].filter(({ status }) => status === "held").reverse();
    for (const { id } of held) {
      setStatus(id, "waiting");
      schedule(id, clock.now());
    }
  }

  /** Held and late deliveries that are sent without a fault the next time. */
  const alreadyFaulted = new Set<number>();

  async function deliverWith(delivery: Delivery, fault: Fault): Promise<void> {
    const { id, body } = delivery;
    const name = fault.fault as WebhookFault;
    const attempt = async (parcel: SignedBody): Promise<void> => recordAttempt(id, await post(parcel), name);
    switch (name) {
      case "lost":
        return setStatus(id, "lost");
      case "late":
        alreadyFaulted.add(id);
        return schedule(id, clock.now() + (fault.delayMs ?? LATE_MS));
      case "shuffled":
        alreadyFaulted.add(id);
        setStatus(id, "held");
        return fault.times === 0 ? release() : undefined;
      case "doubled":
        for (let sent = 1; sent < (fault.copies ?? 2); sent += 1) await post(sign(body));
        return attempt(sign(body));
      case "forged":
        return attempt({ body, signature: signWebhook(body, `${secretKey}-of-somebody-else`) });
      case "altered":
        return attempt({
          ...sign(body),
          body: body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
        });
      case "unsigned":
        return attempt({ body, signature: null });
      case "reserialized":
        return attempt({ ...sign(body), body: body.replace('{"event":', '{ "event": ') });
      case "unheard":
        return attempt(sign(body));
      case "wrong_amount":
      case "wrong_currency":
      case "wrong_reference":
      case "wrong_status":
        return attempt(sign(formatJson(distortBody(parseJson(body) as JsonObject, name, fault))));
      default:
        return assertNever(name);
    }
  }

  return {
    notify(event, reference, data) {
      const id = takeSequence(state);
      const body = formatJson({ event, data });
      const createdAt = clock.now();
      state.deliveries.set(id, { id, event, reference, body, createdAt, status: "waiting", attempts: [] });
      schedule(id, createdAt);
    },
    async deliver(deliveryId) {
      const delivery = findDelivery(deliveryId);
      const fault = alreadyFaulted.delete(deliveryId)
        ? null
        : takeFault(state, { on: "webhook", reference: delivery.reference, event: delivery.event });
      if (fault !== null) return deliverWith(delivery, fault);
      recordAttempt(deliveryId, await post(sign(delivery.body)), null);
    },
    release,
    send: (body, signature) => post(signature === undefined ? sign(body) : { body, signature }),
    close: () => closing.abort(),
  };
}
