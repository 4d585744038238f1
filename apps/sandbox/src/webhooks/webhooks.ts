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

const RETRY_PLANS: { readonly [Plan in Settings["retryPlan"]]: readonly number[] } = {
  live: [...Array<number>(4).fill(3 * MINUTE_MS), ...Array<number>(72).fill(HOUR_MS)],
  test: Array<number>(10).fill(HOUR_MS),
};

interface SignedBody {
  readonly body: string;
  readonly signature: string | null;
}

export interface Webhooks {
  notify(event: string, reference: string, data: JsonObject): void;
  deliver(deliveryId: number): Promise<void>;
  /** Sends the held webhooks, last first. */
  release(): void;
  /**
   * Sends a custom body once, signed unless a signature is given. Returns the receiver's status, or
   * what went wrong.
   */
  send(body: string, signature?: string): Promise<number | string>;
  close(): void;
}

interface WebhooksDeps {
  readonly state: State;
  readonly clock: Clock;
  readonly scheduler: () => Scheduler;
  readonly secretKey: string;
}

/** `x-paystack-signature`: HMAC-SHA512 of the raw body with the secret key, in hex. */
function signWebhook(body: string, secretKey: string): string {
  return createHmac("sha512", secretKey).update(body).digest("hex");
}

export function openWebhooks(deps: WebhooksDeps): Webhooks {
  const { state, clock, secretKey } = deps;
  const closing = new AbortController();
  const log = openDeliveryLog(deps);
  const sign = (body: string): SignedBody => ({ body, signature: signWebhook(body, secretKey) });
  const post = (signed: SignedBody): Promise<number | string> => postWebhook(state.settings, signed, closing.signal);
  /** Held and late deliveries that are sent without a fault the next time. */
  const alreadyFaulted = new Set<number>();

  async function deliverWithFault({ id, body }: Delivery, fault: Fault): Promise<void> {
    const name = fault.fault as WebhookFault;
    if (name === "lost") return log.setStatus(id, "lost");
    if (name === "late") {
      alreadyFaulted.add(id);
      return log.schedule(id, clock.now() + (fault.delayMs ?? LATE_MS));
    }
    if (name === "shuffled") {
      alreadyFaulted.add(id);
      log.setStatus(id, "held");
      return fault.times === 0 ? log.release() : undefined;
    }
    const copies = name === "doubled" ? (fault.copies ?? 2) : 1;
    for (let sent = 1; sent < copies; sent += 1) await post(sign(body));
    log.recordAttempt(id, await post(applyFault(sign(body), name, fault, secretKey)), name);
  }

  return {
    notify(event, reference, data) {
      const id = takeSequence(state);
      const body = formatJson({ event, data });
      const createdAt = clock.now();
      state.deliveries.set(id, { id, event, reference, body, createdAt, status: "waiting", attempts: [] });
      log.schedule(id, createdAt);
    },
    async deliver(deliveryId) {
      const delivery = log.find(deliveryId);
      const fault = alreadyFaulted.delete(deliveryId)
        ? null
        : takeFault(state, { on: "webhook", reference: delivery.reference, event: delivery.event });
      if (fault !== null) return deliverWithFault(delivery, fault);
      log.recordAttempt(deliveryId, await post(sign(delivery.body)), null);
    },
    release: log.release,
    send: (body, signature) => post(signature === undefined ? sign(body) : { body, signature }),
    close: () => closing.abort(),
  };
}

function openDeliveryLog({ state, clock, scheduler }: WebhooksDeps) {
  function find(deliveryId: number): Delivery {
    const delivery = state.deliveries.get(deliveryId);
    assert(delivery !== undefined, "a delivery stays known");
    return delivery;
  }

  function schedule(deliveryId: number, at: number): void {
    scheduler().schedule({ type: "deliver", deliveryId }, at);
  }

  function setStatus(deliveryId: number, status: DeliveryStatus): void {
    state.deliveries.set(deliveryId, { ...find(deliveryId), status });
  }

  function recordAttempt(deliveryId: number, answer: number | string, fault: WebhookFault | null): void {
    const delivery = state.deliveries.get(deliveryId);
    if (delivery === undefined) return;
    const attempts = [...delivery.attempts, { at: clock.now(), answer, fault }];
    if (answer === 200 && fault !== "unacknowledged") {
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

  return { find, schedule, setStatus, recordAttempt, release };
}

async function postWebhook(
  { webhookUrl, webhookTimeoutMs }: Settings,
  { body, signature }: SignedBody,
  closing: AbortSignal,
): Promise<number | string> {
  if (webhookUrl === null) return "no address";
  const headers = {
    "content-type": "application/json",
    "user-agent": "Holo-Sandbox",
    ...(signature === null ? {} : { "x-paystack-signature": signature }),
  };
  try {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(webhookTimeoutMs)]);
    const response = await fetch(webhookUrl, { method: "POST", headers, body, redirect: "manual", signal });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

type SendingFault = Exclude<WebhookFault, "lost" | "late" | "shuffled">;

function applyFault(signed: SignedBody, name: SendingFault, fault: Fault, secretKey: string): SignedBody {
  const { body } = signed;
  switch (name) {
    case "doubled":
    case "unacknowledged":
      return signed;
    case "forged":
      return { body, signature: signWebhook(body, `${secretKey}-of-somebody-else`) };
    case "altered":
      return { ...signed, body: body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)) };
    case "unsigned":
      return { body, signature: null };
    case "reserialized":
      return { ...signed, body: body.replace('{"event":', '{ "event": ') };
    case "wrong_amount":
    case "wrong_currency":
    case "wrong_reference":
    case "wrong_status": {
      const distorted = formatJson(distortBody(parseJson(body) as JsonObject, name, fault));
      return { body: distorted, signature: signWebhook(distorted, secretKey) };
    }
    default:
      return assertNever(name);
  }
}
