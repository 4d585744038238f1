import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, sendAnswer, sendText } from "../http/http-io.ts";
import { isObject, parseJson } from "../http/json.ts";
import type { Provider } from "../state/provider.ts";
import type { Transaction } from "../state/state.ts";
import { findByAccessCode, payCharge, settleCharge } from "./charges.ts";
import { type Page, toCheckoutPage, toOutcomePage, toUnknownPage } from "./checkout-page.ts";

const STYLE_PATH = "/checkout.css";
const STYLE = readFileSync(new URL("checkout.css", import.meta.url), "utf8");

export const CHECKOUT_OUTCOMES = ["pay", "pay_by_card", "fail", "cancel"] as const;
type CheckoutOutcome = (typeof CHECKOUT_OUTCOMES)[number];

/** `callback_url?trxref=…&reference=…` */
function toReturnUrl({ callbackUrl, reference }: Transaction): string | null {
  if (callbackUrl === null) return null;
  const url = new URL(callbackUrl);
  url.searchParams.set("trxref", reference);
  url.searchParams.set("reference", reference);
  return url.href;
}

/** Metadata may name another address for a cancellation. */
function toCancelUrl(transaction: Transaction): string | null {
  try {
    const metadata = parseJson(transaction.metadata ?? "");
    const cancelUrl = isObject(metadata) ? metadata.cancel_action : undefined;
    if (typeof cancelUrl === "string" && URL.canParse(cancelUrl)) return cancelUrl;
  } catch {
    // Metadata need not be JSON.
  }
  return toReturnUrl(transaction);
}

/**
 * Applies what a person did at the checkout. Returns where the browser goes, or null without an
 * address.
 */
export function applyCheckoutOutcome(
  provider: Provider,
  transaction: Transaction,
  outcome: CheckoutOutcome,
  card?: string,
): string | null {
  if (transaction.paidAt === null) {
    if (outcome === "pay") payCharge(provider, transaction);
    else if (outcome === "pay_by_card") {
      payCharge(provider, { ...transaction, channel: "card", ...(card === undefined ? {} : { card }) });
    } else settleCharge(provider, transaction, outcome === "fail" ? "failed" : "abandoned");
  }
  return outcome === "cancel" ? toCancelUrl(transaction) : toReturnUrl(transaction);
}

function sendPage(response: ServerResponse, { status, html }: Page, ...backUrls: readonly (string | null)[]): void {
  const origins = backUrls.flatMap((backUrl) => (backUrl === null ? [] : [new URL(backUrl).origin]));
  const targets = ["'self'", ...new Set(origins)].join(" ");
  response.setHeader(
    "content-security-policy",
    `default-src 'none'; style-src 'self'; base-uri 'none'; form-action ${targets}; frame-ancestors 'none'`,
  );
  response.setHeader("referrer-policy", "no-referrer");
  sendText(response, status, "text/html; charset=utf-8", html);
}

export async function serveCheckout(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (url.pathname === STYLE_PATH) return sendText(response, 200, "text/css; charset=utf-8", STYLE);
  const { state } = provider;
  const body = await readBody(request);
  if (!body.ok) return sendAnswer(response, body.refusal);
  const transaction = findByAccessCode(state, url.pathname.replace("/checkout/", ""));
  if (transaction === undefined) return sendPage(response, toUnknownPage());
  const { businessName } = state.settings;
  const given = request.method === "POST" ? new URLSearchParams(body.value).get("outcome") : null;
  const outcome = CHECKOUT_OUTCOMES.find((name) => name === given);
  if (outcome === undefined) {
    if (transaction.status === "abandoned") settleCharge(provider, transaction, "ongoing");
    const backUrl = toReturnUrl(transaction);
    return sendPage(response, toCheckoutPage(transaction, businessName, backUrl), backUrl, toCancelUrl(transaction));
  }
  const target = applyCheckoutOutcome(provider, transaction, outcome);
  if (target !== null) {
    response.writeHead(303, { location: target, "cache-control": "no-store" });
    response.end();
    return;
  }
  const now = state.transactions.get(transaction.reference) ?? transaction;
  const isOver = (outcome === "fail" || outcome === "cancel") && now.paidAt === null;
  sendPage(response, isOver ? toOutcomePage(outcome) : toCheckoutPage(now, businessName, null));
}
