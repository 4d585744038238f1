import { assertNever } from "@holo/kernel/assert.ts";
import { isObject, type Json, type JsonObject } from "../http/json.ts";
import type { Distortion, Fault } from "./faults.ts";

const NAIRA = 100n;

/** One naira less, or more if nothing would be left. `amount` is in kobo. */
export function subtractOneNaira(amount: bigint): bigint {
  return amount > NAIRA ? amount - NAIRA : amount + NAIRA;
}

function toBigInt(value: Json | undefined): bigint {
  return typeof value === "bigint" || typeof value === "number" ? BigInt(value) : 0n;
}

function distortData(data: JsonObject, name: Distortion, fault: Fault): JsonObject {
  switch (name) {
    case "wrong_amount": {
      const amount = fault.amount ?? subtractOneNaira(toBigInt(data.amount));
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

export function distortBody(body: JsonObject, name: Distortion, fault: Fault): JsonObject {
  const { data } = body;
  if (Array.isArray(data)) {
    return { ...body, data: data.map((item: Json) => (isObject(item) ? distortData(item, name, fault) : item)) };
  }
  return isObject(data) ? { ...body, data: distortData(data, name, fault) } : body;
}
