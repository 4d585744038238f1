import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { assertNever } from "@holo/kernel/assert.ts";
import { addEvidence, declineDispute, listDisputes } from "../charges/disputes.ts";
import { initialize, listTransactions, verify } from "../charges/transactions.ts";
import { takeFault } from "../faults/fault-queue.ts";
import { type CallFault, type Fault, isBeforeActing, type Operation } from "../faults/faults.ts";
import { distortBody } from "../faults/untrue-answers.ts";
import { createRefund, fetchRefund, listRefunds } from "../refunds/refunds.ts";
import type { Provider } from "../state/provider.ts";
import { listBanks, resolveAccount } from "../transfers/banks.ts";
import { createRecipient } from "../transfers/recipients.ts";
import { createTransfer, listTransfers, readBalance, verifyTransfer } from "../transfers/transfers.ts";
import { type Answer, FAILURES } from "./answer.ts";
import { parseBody, readBody, sendAnswer, sendText } from "./http-io.ts";
import { formatJson, type JsonObject } from "./json.ts";

interface ApiCall {
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  readonly parameter: string;
}

interface Route {
  readonly operation: Operation;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: RegExp;
  handle(provider: Provider, asked: ApiCall): Answer;
}

const ROUTES: readonly Route[] = [
  route("initialize", "POST", "/transaction/initialize", (provider, { body }) => initialize(provider, body)),
  route("verify", "GET", "/transaction/verify/:", (provider, { parameter }) => verify(provider, parameter)),
  route("list_transactions", "GET", "/transaction", (provider, { query }) => listTransactions(provider, query)),
  route("list_banks", "GET", "/bank", (provider, { query }) => listBanks(provider, query)),
  route("resolve", "GET", "/bank/resolve", (_provider, { query }) => resolveAccount(query)),
  route("create_recipient", "POST", "/transferrecipient", (provider, { body }) => createRecipient(provider, body)),
  route("transfer", "POST", "/transfer", (provider, { body }) => createTransfer(provider, body)),
  route("verify_transfer", "GET", "/transfer/verify/:", (provider, { parameter }) =>
    verifyTransfer(provider, parameter),
  ),
  route("list_transfers", "GET", "/transfer", (provider, { query }) => listTransfers(provider, query)),
  route("balance", "GET", "/balance", (provider) => readBalance(provider)),
  route("refund", "POST", "/refund", (provider, { body }) => createRefund(provider, body)),
  route("fetch_refund", "GET", "/refund/:", (provider, { parameter }) => fetchRefund(provider, parameter)),
  route("list_refunds", "GET", "/refund", (provider, { query }) => listRefunds(provider, query)),
  route("list_disputes", "GET", "/dispute", (provider, { query }) => listDisputes(provider, query)),
  route("dispute_evidence", "POST", "/dispute/:/evidence", (provider, { parameter, body }) =>
    addEvidence(provider, parameter, body),
  ),
  route("resolve_dispute", "PUT", "/dispute/:/resolve", (provider, { parameter, body }) =>
    declineDispute(provider, parameter, body),
  ),
];

function route(operation: Operation, method: Route["method"], path: string, handle: Route["handle"]): Route {
  return { operation, method, path: new RegExp(`^${path.replace(":", "([^/]+)")}/?$`), handle };
}

const MINUTE_MS = 60_000;
const CALLS_KEPT = 2_000;
const SLOW_MS = 1_000;

function isKey(given: string, secretKey: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secretKey)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function checkKey(header: string | undefined, secretKey: string): Answer | null {
  if (header === undefined || header === "") return FAILURES.noKey;
  const [, key] = /^Bearer (\S+)$/i.exec(header) ?? [];
  if (key === undefined) return FAILURES.badFormat;
  return isKey(key, secretKey) ? null : FAILURES.badKey;
}

function isTooOften({ state, clock }: Provider): boolean {
  const { callsPerMinuteMax } = state.settings;
  if (callsPerMinuteMax === null) return false;
  const since = clock.now() - MINUTE_MS;
  return state.calls.filter(({ at }) => at > since).length >= callsPerMinuteMax;
}

function toReference({ parameter, body }: ApiCall): string | null {
  if (parameter !== "") return parameter;
  const given = body.reference ?? body.transaction ?? body.account_number;
  return typeof given === "string" ? given : null;
}

/** Leaves the call open until the caller aborts it or the time is over. */
function holdOpen(response: ServerResponse, holdMs: number): void {
  const timer = setTimeout(() => response.destroy(), holdMs);
  timer.unref();
  response.once("close", () => clearTimeout(timer));
}

const GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/**
 * Answers a call with a fault. `act` carries out the call, but not for a fault before acting.
 * Returns the status, or null without an answer.
 */
async function answerWithFault(
  response: ServerResponse,
  { operation, holdMs }: { readonly operation: Operation; readonly holdMs: number },
  fault: Fault,
  act: () => Answer,
): Promise<number | null> {
  const name = fault.fault as CallFault;
  const acted = isBeforeActing(name) ? null : act();
  const send = (answer: Answer): number => {
    sendAnswer(response, answer);
    return answer.status;
  };
  const sendBroken = (status: number, contentType: string, text: string): number => {
    sendText(response, status, contentType, text);
    return status;
  };
  switch (name) {
    case "timeout":
    case "timeout_after_acceptance":
      holdOpen(response, holdMs);
      return null;
    case "reset":
    case "reset_after_acceptance":
      response.destroy();
      return null;
    case "502":
      return sendBroken(502, "text/html", GATEWAY_PAGE);
    case "not_found":
      return send(operation === "verify_transfer" ? FAILURES.noTransfer : FAILURES.noTransaction);
    case "duplicate_reference":
      return send(operation === "transfer" ? FAILURES.duplicateTransfer : FAILURES.duplicateTransaction);
    case "malformed":
      return sendBroken(200, "application/json", formatJson(acted!.body).slice(0, -10));
    case "empty":
      return sendBroken(200, "application/json", "");
    case "html":
      return sendBroken(200, "text/html", "<html><body>We are busy</body></html>");
    case "status_as_text":
      return send({ status: 200, body: { status: "false", message: "An error occurred" } });
    case "slow":
      await wait(fault.delayMs ?? SLOW_MS);
      return send(acted!);
    case "500":
    case "500_after_acceptance":
      return send(FAILURES.internal);
    case "429":
      return send(FAILURES.rateLimited);
    case "unauthorized":
      return send(FAILURES.badKey);
    case "insufficient_balance":
      return send(FAILURES.insufficientBalance);
    case "wrong_amount":
    case "wrong_currency":
    case "wrong_reference":
    case "wrong_status":
      return send({ ...acted!, body: distortBody(acted!.body, name, fault) });
    default:
      return assertNever(name);
  }
}

interface Api {
  serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void>;
}

export function openApi(provider: Provider, secretKey: string): Api {
  const { state } = provider;

  function recordCall(
    operation: Operation,
    asked: ApiCall,
    text: string,
  ): (fault: Fault | null, status: number | null) => void {
    const index = { at: provider.clock.now(), operation, reference: toReference(asked), body: text };
    return (fault, answered) => {
      state.calls = [...state.calls, { ...index, fault: fault?.fault ?? null, answered }].slice(-CALLS_KEPT);
    };
  }

  return {
    async serve(request, response, url) {
      const found = ROUTES.find(({ method, path }) => method === request.method && path.test(url.pathname));
      const text = await readBody(request);
      if (!text.ok) return sendAnswer(response, text.refusal);
      const wrongKey = checkKey(request.headers.authorization, secretKey);
      if (wrongKey !== null) return sendAnswer(response, wrongKey);
      if (found === undefined) return sendAnswer(response, FAILURES.noRoute);
      const body = parseBody(found.method === "GET" ? "" : text.value);
      if (!body.ok) return sendAnswer(response, body.refusal);
      const parameter = decodeURIComponent(found.path.exec(url.pathname)?.[1] ?? "");
      const asked: ApiCall = { query: url.searchParams, body: body.value, parameter };
      const done = recordCall(found.operation, asked, text.value);
      if (isTooOften(provider)) {
        sendAnswer(response, FAILURES.rateLimited);
        return done(null, 429);
      }
      const fault = takeFault(state, { on: found.operation, reference: toReference(asked) });
      const act = (): Answer => found.handle(provider, asked);
      if (fault === null) {
        const answer = act();
        sendAnswer(response, answer);
        return done(null, answer.status);
      }
      const about = { operation: found.operation, holdMs: state.settings.holdMs };
      done(fault, await answerWithFault(response, about, fault, act));
    },
  };
}
