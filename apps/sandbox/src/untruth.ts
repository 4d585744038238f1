import { assertNever } from "@holo/kernel/assert.ts";
import type { Fault, Untruth } from "./faults.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

const NAIRA = 100n;

/** A naira less, or more where nothing would be left: another sum, and one that can be. @param amount in kobo */
export function takeNaira(amount: bigint): bigint {
  return amount > NAIRA ? amount - NAIRA : amount + NAIRA;
}

function toBigInt(value: Json | undefined): bigint {
  return typeof value === "bigint" || typeof value === "number" ? BigInt(value) : 0n;
}

function distort(data: JsonObject, name: Untruth, fault: Fault): JsonObject {
  switch (name) {
    case "wrong_amount": {
      const amount = fault.amount ?? takeNaira(toBigInt(data.amount));
      return { ...data, amount, ...("requested_amount" in data ? { requested_amount: amount } : {}) };
    }
    case "wrong_currency":
      return { ...data, currency: fault.currency ?? "USD" };
    case "wrong_reference":
      return { ...data, reference: `${data.reference}-x` };
    case "wrong_status":
      return { ...data, status: fault.status ?? "failed" };
    default:
      return assertNever(name);
  }
}

/** The body of an answer or a webhook with its `data` telling something that is not so. */
export function withUntruth(body: JsonObject, name: Untruth, fault: Fault): JsonObject {
  const { data } = body;
  if (Array.isArray(data)) {
    return { ...body, data: data.map((item: Json) => (isObject(item) ? distort(item, name, fault) : item)) };
  }
  return isObject(data) ? { ...body, data: distort(data, name, fault) } : body;
}
