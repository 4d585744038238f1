import type { IncomingMessage, ServerResponse } from "node:http";
import { assertNever } from "@holo/kernel/assert.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { Kobo } from "@holo/kernel/money.ts";
import { settleCharge } from "../charges/charges.ts";
import { applyCheckoutOutcome, CHECKOUT_OUTCOMES } from "../charges/checkout.ts";
import { openDispute, resolveDispute } from "../charges/disputes.ts";
import { addFault } from "../faults/fault-queue.ts";
import { FAULT_NAMES, parseFaultOrder } from "../faults/faults.ts";
import { type Answer, refusal } from "../http/answer.ts";
import { parseBody, readBody, sendAnswer } from "../http/http-io.ts";
import { formatJson, type Json, type JsonObject } from "../http/json.ts";
import { isOwnMachine } from "../machine.ts";
import { settleRefund } from "../refunds/refunds.ts";
import { parseSettings } from "../settings.ts";
import { formatInstant, type Provider } from "../state/provider.ts";
import { makeState } from "../state/state.ts";
import { TRANSACTION_STATUSES, TRANSFER_STATUSES } from "../state/statuses.ts";
import { settleTransfer } from "../transfers/transfers.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";

export interface ControlledProvider extends Provider {
  readonly webhooks: Webhooks;
}

const DISPUTES = ["disputed", "dispute_accepted", "dispute_declined"] as const;
const CHARGE_OUTCOMES = [...CHECKOUT_OUTCOMES, ...TRANSACTION_STATUSES, ...DISPUTES] as const;
const REFUND_STATUSES = ["processing", "processed", "failed"] as const;

function done(body: Json): Answer {
  return { status: 200, body: { data: body } };
}

function refuseOrder(message: string): Answer {
  return refusal(400, message, "invalid_order", "Look at the sandbox's README");
}

function refuseUnknown(what: string): Answer {
  return refusal(404, `there is no such ${what}`, "unknown", "Look at GET /_sandbox/state");
}

function oneOf<Name extends string>(names: readonly Name[], given: Json | undefined): Name | undefined {
  return names.find((name) => name === given);
}

function toStateView({ state, clock }: Provider): JsonObject {
  const values = (map: ReadonlyMap<unknown, unknown>): Json => [...map.values()] as unknown as Json;
  return {
    now: formatInstant(clock.now()),
    frozen: clock.isFrozen(),
    balance: state.balance,
    settings: state.settings as unknown as JsonObject,
    transactions: values(state.transactions),
    recipients: values(state.recipients),
    transfers: values(state.transfers),
    refunds: values(state.refunds),
    disputes: values(state.disputes),
    webhooks: values(state.deliveries),
    faults: state.faults as unknown as Json,
    tasks: state.tasks as unknown as Json,
    calls: state.calls as unknown as Json,
  };
}

async function moveClock(provider: Provider, body: JsonObject): Promise<Answer> {
  const { clock, scheduler } = provider;
  const { advanceMs = 0, at, frozen } = body;
  if (!Number.isSafeInteger(advanceMs) || (advanceMs as number) < 0) {
    return refuseOrder("advanceMs must be whole milliseconds");
  }
  const target = at === undefined ? null : Date.parse(String(at));
  if (Number.isNaN(target)) return refuseOrder("at must be a date in ISO 8601");
  if (typeof frozen === "boolean") clock.freeze(frozen);
  if (target !== null && target < clock.now()) clock.set(toInstant(target));
  await scheduler.advance((advanceMs as number) + Math.max(0, (target ?? 0) - clock.now()));
  return done({ now: formatInstant(clock.now()), frozen: clock.isFrozen() });
}

function setChargeOutcome(provider: Provider, reference: string, body: JsonObject): Answer {
  const transaction = provider.state.transactions.get(reference);
  if (transaction === undefined) return refuseUnknown("transaction");
  const outcome = oneOf(CHARGE_OUTCOMES, body.outcome);
  switch (outcome) {
    case undefined:
      return refuseOrder(`outcome must be one of ${CHARGE_OUTCOMES.join(", ")}`);
    case "pay":
    case "pay_by_card":
    case "fail":
    case "cancel": {
      const card = typeof body.card === "string" ? body.card : undefined;
      return done({ redirect: applyCheckoutOutcome(provider, transaction, outcome, card) });
    }
    case "disputed":
      openDispute(provider, reference);
      break;
    case "dispute_accepted":
    case "dispute_declined":
      resolveDispute(provider, reference, outcome === "dispute_accepted" ? "merchant-accepted" : "declined");
      break;
    case "abandoned":
    case "failed":
    case "ongoing":
    case "pending":
    case "processing":
    case "queued":
    case "reversed":
    case "success":
      settleCharge(provider, transaction, outcome, {
        ...(Number.isSafeInteger(body.amount) ? { amount: BigInt(body.amount as number) as Kobo } : {}),
        ...(typeof body.currency === "string" ? { currency: body.currency } : {}),
      });
      break;
    default:
      assertNever(outcome);
  }
  return done({ status: provider.state.transactions.get(reference)!.status });
}

function setTransferOutcome(provider: Provider, reference: string, body: JsonObject): Answer {
  if (!provider.state.transfers.has(reference)) return refuseUnknown("transfer");
  const status = oneOf(TRANSFER_STATUSES, body.outcome);
  if (status === undefined) return refuseOrder(`outcome must be one of ${TRANSFER_STATUSES.join(", ")}`);
  settleTransfer(provider, reference, status);
  return done({ status: provider.state.transfers.get(reference)!.status });
}

function setRefundOutcome(provider: Provider, id: string, body: JsonObject): Answer {
  const refund = provider.state.refunds.get(id);
  if (refund === undefined) return refuseUnknown("refund");
  const status = oneOf(REFUND_STATUSES, body.outcome);
  if (status === undefined) return refuseOrder(`outcome must be one of ${REFUND_STATUSES.join(", ")}`);
  settleRefund(provider, refund.id, status);
  return done({ status: provider.state.refunds.get(id)!.status });
}

function changeSettings({ state }: Provider, body: JsonObject): Answer {
  const change = parseSettings(body);
  if (!change.ok) return refuseOrder(`unknown or out of range: ${change.refusal.join(", ")}`);
  state.settings = { ...state.settings, ...change.value };
  return done(state.settings as unknown as JsonObject);
}

function changeBalance({ state }: Provider, body: JsonObject): Answer {
  const { kobo } = body;
  if (!Number.isSafeInteger(kobo)) return refuseOrder("kobo must be a whole number");
  state.balance = BigInt(kobo as number) as Kobo;
  return done({ balance: state.balance });
}

function orderFault({ state }: Provider, body: JsonObject): Answer {
  const order = parseFaultOrder(body);
  return order.ok ? done(addFault(state, order.value) as unknown as JsonObject) : refuseOrder(order.refusal);
}

async function sendWebhook({ webhooks }: ControlledProvider, body: JsonObject): Promise<Answer> {
  const { event = "", data = {}, body: text, signature } = body;
  const sent = typeof text === "string" ? text : formatJson({ event, data });
  return done({ answer: await webhooks.send(sent, typeof signature === "string" ? signature : undefined) });
}

async function replayWebhook(provider: ControlledProvider, id: string): Promise<Answer> {
  const delivery = provider.state.deliveries.get(Number(id));
  if (delivery === undefined) return refuseUnknown("webhook");
  return done({ answer: await provider.webhooks.send(delivery.body) });
}

function cancelFaults({ state }: Provider, id: string): Answer {
  state.faults = id === "" ? [] : state.faults.filter((fault) => fault.id !== Number(id));
  return done(state.faults as unknown as Json);
}

function reset({ state, scheduler }: Provider, body: JsonObject): Answer {
  const kobo = Number.isSafeInteger(body.kobo) ? (BigInt(body.kobo as number) as Kobo) : state.balance;
  const { nextId, nextSequence, clock } = state;
  Object.assign(state, makeState(state.settings, kobo), { nextId, nextSequence, clock });
  scheduler.rearm();
  return done({ balance: kobo });
}

type Handle = (provider: ControlledProvider, body: JsonObject, parameter: string) => Answer | Promise<Answer>;

const ROUTES: readonly (readonly [method: string, path: RegExp, handle: Handle])[] = [
  ["GET", /^state$/, (provider) => done(toStateView(provider))],
  ["GET", /^faults$/, ({ state }) => done({ waiting: state.faults, names: FAULT_NAMES } as unknown as JsonObject)],
  ["POST", /^faults$/, orderFault],
  ["DELETE", /^faults\/?(\d*)$/, (provider, _body, id) => cancelFaults(provider, id)],
  ["POST", /^clock$/, moveClock],
  ["POST", /^settings$/, changeSettings],
  ["POST", /^balance$/, changeBalance],
  ["POST", /^reset$/, reset],
  ["POST", /^transactions\/([^/]+)$/, (provider, body, reference) => setChargeOutcome(provider, reference, body)],
  ["POST", /^transfers\/([^/]+)$/, (provider, body, reference) => setTransferOutcome(provider, reference, body)],
  ["POST", /^refunds\/([^/]+)$/, (provider, body, id) => setRefundOutcome(provider, id, body)],
  ["POST", /^webhooks$/, sendWebhook],
  [
    "POST",
    /^webhooks\/release$/,
    ({ webhooks }) => {
      webhooks.release();
      return done({});
    },
  ],
  ["POST", /^webhooks\/(\d+)\/replay$/, (provider, _body, id) => replayWebhook(provider, id)],
];

export const CONTROL_PATH = "/_sandbox/";

/**
 * The sandbox's control API, no part of the provider's. Only JSON is accepted, so that no page of
 * another origin can send a form.
 */
export async function serveControl(
  provider: ControlledProvider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const { remoteAddress, localAddress } = request.socket;
  if (!isOwnMachine(remoteAddress, localAddress)) return sendAnswer(response, refuseUnknown("route"));
  const path = url.pathname.slice(CONTROL_PATH.length);
  const found = ROUTES.find(([method, pattern]) => method === request.method && pattern.test(path));
  if (found === undefined) return sendAnswer(response, refuseUnknown("route"));
  const text = await readBody(request);
  if (!text.ok) return sendAnswer(response, text.refusal);
  if (request.method === "POST" && !request.headers["content-type"]?.startsWith("application/json")) {
    return sendAnswer(response, refuseOrder("send application/json"));
  }
  const body = parseBody(text.value);
  if (!body.ok) return sendAnswer(response, body.refusal);
  const [, pattern, handle] = found;
  const parameter = decodeURIComponent(pattern.exec(path)?.[1] ?? "");
  sendAnswer(response, await handle(provider, body.value, parameter));
}
