import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { ENDPOINTS } from "@holo/protocol/endpoints.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import type { RequestInput, RouteName, RouteRefusal, RouteResponse } from "@holo/protocol/routes.ts";

import { serverClock } from "../clock/server-clock.ts";

export type ApiAnswer<Name extends RouteName> = Result<RouteResponse<Name>, RefusalView<RouteRefusal<Name>>>;

type Given<Name extends RouteName, Key extends "body" | "query" | "params"> =
  RequestInput<Name, Key> extends undefined ? unknown : { readonly [K in Key]: RequestInput<Name, Key> };
type ApiInput<Name extends RouteName> = Given<Name, "body"> & Given<Name, "query"> & Given<Name, "params">;
type LooseInput = { readonly body?: unknown; readonly query?: object; readonly params?: object };

/** Longer than the server waits for two answers of the payment provider, 15 s each. */
const ANSWER_MS_MAX = 35_000;
/** It reads many pages of the provider. Files are sent and fetched without this module. */
const UNLIMITED: RouteName = "reconcile";

export const UNREACHABLE: RefusalView<"unavailable"> = {
  code: "unavailable",
  title: "No connection",
  text: "We couldn't reach Holo Arena. Please try again.",
};

/** A fault of our server; proxies answer with their own content while the server is down. */
function toFault(status: number): RefusalView<"unavailable" | "something_went_wrong"> {
  return status === 500 ? toRefusalView("something_went_wrong") : UNREACHABLE;
}

let promptForCode = async (): Promise<boolean> => false;

export function onCodeRequired(prompt: () => Promise<boolean>): void {
  promptForCode = prompt;
}

let reportLoginRequired = (): void => undefined;

/** `report` is called whenever the server refuses a call because no player is logged in. */
export function onLoginRequired(report: () => void): void {
  reportLoginRequired = report;
}

/** Resends once the player has given a code, if the answer requires one. */
export async function sendWithCode<Value, Refused extends RefusalView>(
  send: () => Promise<Result<Value, Refused>>,
): Promise<Result<Value, Refused | typeof UNREACHABLE>> {
  const answer = await send();
  if (answer.ok || answer.refusal.code !== "second_factor_required") return answer;
  // `answer` would show nothing, as if the player had closed the dialog.
  const isConfirmed = await promptForCode().catch(() => null);
  if (isConfirmed === null) return refuse(UNREACHABLE);
  return isConfirmed ? await sendWithCode(send) : answer;
}

/**
 * Calls a route by its name. Refusals and a missing connection or answer are returned with a text
 * for the player. Throws only if `signal` aborts.
 */
export function callApi<Name extends RouteName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<ApiAnswer<Name>> {
  const send = () => sendOnce(name, input, signal);
  // The login requests the code itself.
  return name === "login" ? send() : sendWithCode(send);
}

async function sendOnce<Name extends RouteName>(
  name: Name,
  input: ApiInput<Name>,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer<Name>> {
  const [method, path] = ENDPOINTS[name];
  const { body, query = {}, params = {} } = input as LooseInput;
  // Not `AbortSignal.any`, which Chrome 114 and Safari 17 lack.
  const request = new AbortController();
  const abort = () => request.abort(signal?.reason);
  const timer = name === UNLIMITED ? undefined : setTimeout(abort, ANSWER_MS_MAX);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted === true) abort();
  // The caller needs the current state, never a cached answer.
  const init: RequestInit = { method, credentials: "same-origin", cache: "no-cache", signal: request.signal };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  try {
    const response = await fetch(fillPath(path, params) + formatQuery(query), init);
    serverClock.suggest(Date.parse(response.headers.get("date") ?? ""));
    const content: unknown = await response.json().catch((fault) => (response.ok ? Promise.reject(fault) : null));
    if (response.ok) return ok(content as RouteResponse<Name>);
    if (!isRefusalView(content)) return refuse(toFault(response.status));
    if (/(?:^|_)login_required$/.test(content.code)) reportLoginRequired();
    return refuse(content as RefusalView<RouteRefusal<Name>>);
  } catch (fault) {
    if (signal?.aborted === true) throw fault;
    return refuse(UNREACHABLE);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

let held: Promise<void> | null = null;
let release: () => void = () => undefined;

/** From now on `fetchApi` waits before it sends anything. */
export function holdLoads(): void {
  held ??= new Promise((resolve) => {
    release = resolve;
  });
}

/** Sends what was held, except loads that were aborted meanwhile. */
export function releaseLoads(): void {
  release();
  held = null;
}

/** Throws on a refusal, for queries that retry. */
export async function fetchApi<Name extends RouteName>(
  name: Name,
  input: ApiInput<Name>,
  signal?: AbortSignal,
): Promise<RouteResponse<Name>> {
  if (held !== null) await held;
  signal?.throwIfAborted();
  const answer = await callApi(name, input, signal);
  if (!answer.ok) throw new Error(answer.refusal.text, { cause: answer.refusal });
  return answer.value;
}

/** Proxies answer with their own content when the server is down. */
export function isRefusalView(content: unknown): content is RefusalView {
  return typeof content === "object" && content !== null && "code" in content && "text" in content;
}

function fillPath(path: string, params: object): string {
  return Object.entries(params).reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  );
}

function formatQuery(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
