import type { Json, JsonObject } from "../http/json.ts";
import { parseJson } from "../http/json.ts";
import { formatInstant } from "../state/provider.ts";
import type { Customer, Transaction } from "../state/state.ts";

type NoMetadata = "" | 0 | null;

function toMetadata(metadata: string | null, none: NoMetadata): Json {
  if (metadata === null) return none;
  try {
    return parseJson(metadata);
  } catch {
    // Metadata that is not JSON is returned as text.
    return metadata;
  }
}

export function toCustomerView({ id, email, code }: Customer): JsonObject {
  return {
    id,
    first_name: null,
    last_name: null,
    email,
    customer_code: code,
    phone: null,
    metadata: null,
    risk_action: "default",
    international_format_phone: null,
  };
}

function toAuthorizationView(transaction: Transaction): JsonObject {
  if (transaction.paidAt === null) return {};
  return {
    authorization_code: `AUTH_${transaction.accessCode.slice(0, 10)}`,
    bin: "408408",
    last4: "4081",
    exp_month: "12",
    exp_year: "2040",
    channel: transaction.channel,
    card_type: "visa ",
    bank: "TEST BANK",
    country_code: "NG",
    brand: "visa",
    reusable: true,
    signature: transaction.channel === "card" ? `SIG_${transaction.card ?? transaction.customer.code}` : null,
    account_name: null,
  };
}

/** A transaction in answers and webhooks. `none` is the form of missing metadata. */
export function toTransactionView(transaction: Transaction, domain: string, none: NoMetadata): JsonObject {
  const createdAt = formatInstant(transaction.createdAt);
  const paidAt = transaction.paidAt === null ? null : formatInstant(transaction.paidAt);
  return {
    id: transaction.id,
    domain,
    status: transaction.status,
    reference: transaction.reference,
    receipt_number: null,
    amount: transaction.amount,
    message: null,
    gateway_response: transaction.gatewayResponse,
    paid_at: paidAt,
    created_at: createdAt,
    channel: transaction.channel,
    currency: transaction.currency,
    ip_address: null,
    metadata: toMetadata(transaction.metadata, none),
    log: null,
    fees: transaction.fees,
    fees_split: null,
    authorization: toAuthorizationView(transaction),
    customer: toCustomerView(transaction.customer),
    plan: null,
    split: {},
    order_id: null,
    paidAt,
    createdAt,
    requested_amount: transaction.requestedAmount,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    transaction_date: createdAt,
    plan_object: {},
    subaccount: {},
  };
}
