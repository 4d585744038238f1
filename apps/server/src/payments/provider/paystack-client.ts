import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { isJsonObject, type Json, type JsonObject, parseJsonObject, parseText } from "./json.ts";

/**
 * Why there is no answer. `refused`: the provider did nothing. `rate_limited`: try later.
 * `unknown`: the request may have taken effect.
 */
export type ProviderRefusal =
  | { readonly type: "refused"; readonly httpStatus: number; readonly code: string; readonly message: string }
  | { readonly type: "rate_limited" }
  | { readonly type: "unknown"; readonly why: string };

export type ProviderAnswer<Value> = Result<Value, ProviderRefusal>;

export interface PaystackClientDeps {
  readonly url: string;
  readonly secretKey: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly timeoutMs?: number;
}

export function isLiveKey(secretKey: string): boolean {
  return secretKey.startsWith("sk_live_");
}

const TIMEOUT_MS = 15_000;
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
export interface ProviderCall {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
}

interface ProviderSuccess {
  readonly data: Json | undefined;
  readonly meta: JsonObject;
}

export function unknown(why: string): { readonly ok: false; readonly refusal: ProviderRefusal } {
  return refuse({ type: "unknown", why });
}

/**
 * Only an answer in the provider's own form counts: a proxy's page with the same status proves
 * nothing.
 */
function readAnswer(status: number, text: string): ProviderAnswer<ProviderSuccess> {
  const body = parseJsonObject(text);
  if (status === 429) return refuse({ type: "rate_limited" });
  if (status >= 500) return unknown(`status ${status}`);
  if (body === undefined) return unknown(`status ${status} without an answer`);
  if (status >= 200 && status < 300) {
    if (body.status !== true) return unknown("neither success nor refusal");
    return ok({ data: body.data, meta: isJsonObject(body.meta) ? body.meta : {} });
  }
  if (body.status !== false && body.status !== "false") return unknown(`status ${status} in another form`);
  const code = parseText(body.code) ?? "";
  if (code === "rate_limited") return refuse({ type: "rate_limited" });
  return refuse({ type: "refused", httpStatus: status, code, message: parseText(body.message) ?? "" });
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new RangeError("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** One call to the provider and its answer. Nothing is thrown. */
export interface PaystackClient {
  ask(call: ProviderCall): Promise<ProviderAnswer<ProviderSuccess>>;
  /** As `ask`, parsed by `read`. If `read` returns null, the outcome is unknown. */
  askFor<Value>(call: ProviderCall, read: (success: ProviderSuccess) => Value | null): Promise<ProviderAnswer<Value>>;
  close(): void;
}

export function openPaystackClient({
  url,
  secretKey,
  log,
  metrics,
  timeoutMs = TIMEOUT_MS,
}: PaystackClientDeps): PaystackClient {
  const closing = new AbortController();
  const seconds = metrics.histogram(
    "holo_provider_seconds",
    "Duration of calls to the payment provider in seconds",
    [0.1, 0.3, 1, 3, 10, 30],
  );
  const failures = metrics.counter("holo_provider_unknown_total", "Calls to the provider with an unknown outcome");
  const refusals = metrics.counter("holo_provider_refused_total", "Calls refused by the provider");

  async function ask({ operation, method, path, body }: ProviderCall): Promise<ProviderAnswer<ProviderSuccess>> {
    const stop = seconds.startTimer();
    const answer = await fetchAnswer(method, path, body);
    stop();
    if (!answer.ok) {
      // Without the message, which may contain an account or a name.
      const { message: _message, ...facts } = { message: "", ...answer.refusal };
      (answer.refusal.type === "refused" ? refusals : failures).inc();
      log.warn({ operation, ...facts }, "a call to the payment provider failed");
    }
    return answer;
  }

  async function fetchAnswer(
    method: "GET" | "POST" | "PUT",
    path: string,
    body?: object,
  ): Promise<ProviderAnswer<ProviderSuccess>> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        redirect: "error",
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing.signal]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return readAnswer(response.status, await readText(response));
    } catch (error) {
      // After a refused, reset or slow connection, the provider may have received the request.
      return unknown(error instanceof Error ? error.name : "failed");
    }
  }

  async function askFor<Value>(
    call: ProviderCall,
    read: (success: ProviderSuccess) => Value | null,
  ): Promise<ProviderAnswer<Value>> {
    const answer = await ask(call);
    if (!answer.ok) return answer;
    const value = read(answer.value);
    if (value !== null) return ok(value);
    log.error({ operation: call.operation }, "a response from the payment provider could not be parsed");
    return unknown("an answer that could not be understood");
  }

  return { ask, askFor, close: () => closing.abort() };
}
