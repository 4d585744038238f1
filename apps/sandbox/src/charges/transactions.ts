import type { Kobo } from "@holo/kernel/money.ts";
import { toCustomerAmount } from "../fees.ts";
import { type Answer, answer, FAILURES, invalid, refusal } from "../http/answer.ts";
import { formatJson, isObject, type JsonObject } from "../http/json.ts";
import { toPage } from "../http/pagination.ts";
import { makeCode, type Provider } from "../state/provider.ts";
import { type Customer, type State, type Transaction, takeId } from "../state/state.ts";
import { toTransactionView } from "./transaction-view.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const REFERENCE = /^[A-Za-z0-9.=-]+$/;
/** ₦10,000,000. */
const AMOUNT_MAX = 1_000_000_000n;

export const NOT_COMPLETED = "The transaction was not completed";

function parseAmount(value: unknown): Kobo | null {
  const isWhole = Number.isSafeInteger(value) || (typeof value === "string" && /^\d{1,15}$/.test(value));
  if (!isWhole) return null;
  const amount = BigInt(value as number | string);
  return amount > 0n ? (amount as Kobo) : null;
}

function parseMetadata(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  return isObject(value) ? formatJson(value) : null;
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:/.test(value) && URL.canParse(value);
}

function provideCustomer(state: State, email: string): Customer {
  const known = state.customers.get(email);
  if (known !== undefined) return known;
  const customer: Customer = { id: takeId(state), code: makeCode("CUS_"), email };
  state.customers.set(email, customer);
  return customer;
}

export function initialize(provider: Provider, body: JsonObject): Answer {
  const { state } = provider;
  const { email, currency = "NGN", callback_url: callbackUrl, reference = makeCode("t") } = body;
  if (email === undefined || email === "")
    return invalid("Email is not allowed to be empty", "Send the payer's address");
  if (typeof email !== "string" || !EMAIL.test(email)) {
    return refusal(400, "Invalid Email Address Passed", "invalid_email_address", "Send a whole address");
  }
  const requestedAmount = parseAmount(body.amount);
  if (requestedAmount === null) {
    return refusal(400, "Invalid Amount Sent", "invalid_amount", "Send a whole number of kobo above 0");
  }
  if (requestedAmount > AMOUNT_MAX) {
    return refusal(400, "Transaction amount limit exceeded", "invalid_amount", "Send at most NGN 10,000,000");
  }
  if (currency !== "NGN") {
    return refusal(403, "Currency not supported by merchant", "unsupported_currency", "Charge in NGN");
  }
  if (typeof reference !== "string" || !REFERENCE.test(reference)) {
    return refusal(
      400,
      "Invalid character in transaction reference",
      "invalid_reference",
      "Use letters, digits, - . and = alone",
    );
  }
  if (state.transactions.has(reference)) return FAILURES.duplicateTransaction;
  if (callbackUrl !== undefined && !isAddress(callbackUrl)) return invalid("Invalid callback_url", "Send a whole URL");

  const transaction: Transaction = {
    id: takeId(state),
    reference,
    accessCode: makeCode(""),
    customer: provideCustomer(state, email),
    requestedAmount,
    amount: state.settings.feeBearer === "customer" ? toCustomerAmount(requestedAmount) : requestedAmount,
    currency,
    fees: null,
    // The provider reports unpaid charges as abandoned from the start.
    status: "abandoned",
    gatewayResponse: NOT_COMPLETED,
    channel: "bank_transfer",
    metadata: parseMetadata(body.metadata),
    callbackUrl: callbackUrl ?? null,
    createdAt: provider.clock.now(),
    paidAt: null,
    refunded: 0n as Kobo,
  };
  state.transactions.set(reference, transaction);
  return answer("Authorization URL created", {
    authorization_url: `${provider.publicUrl()}/checkout/${transaction.accessCode}`,
    access_code: transaction.accessCode,
    reference,
  });
}

export function verify({ state, domain }: Provider, reference: string): Answer {
  const transaction = state.transactions.get(reference);
  if (transaction === undefined) return FAILURES.noTransaction;
  return answer("Verification successful", toTransactionView(transaction, domain, ""));
}

export function listTransactions({ state, domain }: Provider, query: URLSearchParams): Answer {
  const all = [...state.transactions.values()].reverse();
  const page = toPage(all, query);
  if (!page.ok) return page.refusal;
  const views = page.value.items.map((transaction) => toTransactionView(transaction, domain, null));
  return answer("Transactions retrieved", views, page.value.meta);
}
