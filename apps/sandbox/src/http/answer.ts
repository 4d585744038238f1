import type { Json, JsonObject } from "./json.ts";

export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

export function answer(message: string, data: Json, meta?: JsonObject): Answer {
  return { status: 200, body: { status: true, message, data, meta } };
}

type RefusalType = "api_error" | "validation_error" | "processor_error";

/** A refusal in the provider's shape. `nextStep` is advice to the caller. */
export function refusal(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  type: RefusalType = "validation_error",
): Answer {
  return { status, body: { status: false, message, meta: { nextStep }, type, code } };
}

export function invalid(message: string, nextStep: string): Answer {
  return refusal(400, message, "invalid_params", nextStep);
}

export const FAILURES = {
  noKey: refusal(401, "No Authorization Header was found", "missing_key", "Send the secret key as a bearer token"),
  badFormat: refusal(
    401,
    "Format is Authorization Bearer [secret key]",
    "invalid_header",
    "Send the secret key as a bearer token",
  ),
  badKey: refusal(401, "Invalid key", "invalid_Key", "Send the key of this integration"),
  rateLimited: refusal(429, "Please wait a few minutes and try again.", "rate_limited", "Call less often", "api_error"),
  internal: refusal(500, "An error occurred", "unknown", "Try again later", "api_error"),
  noRoute: refusal(404, "Not found", "not_found", "Look at the path and the method", "api_error"),
  badJson: invalid("Invalid JSON in request body", "Send a JSON object"),
  noTransaction: refusal(
    400,
    "Transaction reference not found.",
    "transaction_not_found",
    "Look at the reference and at whose key this is",
  ),
  duplicateTransaction: refusal(
    400,
    "Duplicate Transaction Reference",
    "duplicate_reference",
    "Take a reference that was never used",
  ),
  noDispute: refusal(404, "Dispute not found", "dispute_not_found", "Look at the id, and whether it is resolved"),
  // The documented sample has neither type nor code.
  noTransfer: { status: 404, body: { status: false, message: "Transfer not found" } },
  duplicateTransfer: refusal(
    400,
    "Please provide a unique reference. Reference already exists on a transfer",
    "duplicate_transfer_reference",
    "Ask for the transfer of this reference",
  ),
  insufficientBalance: refusal(
    400,
    "Your balance is not enough to fulfil this request",
    "insufficient_balance",
    "Add money to the balance",
    "api_error",
  ),
} as const satisfies { readonly [name: string]: Answer };
