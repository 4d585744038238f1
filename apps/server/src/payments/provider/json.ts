/** JSON with integers of any size. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Integers beyond 2^53 become bigint, such as the provider's 64-bit ids. */
const revive: Reviver = (_key, value, { source }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d{1,30}$/.test(source)
    ? BigInt(source)
    : value;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; undefined for anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    // The third argument is standard, but missing in the library's types.
    const value: unknown = JSON.parse(text, revive as (key: string, value: unknown) => unknown);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Text that is not JSON is an answer, not a fault.
    return undefined;
  }
}

export function parseText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function parseInteger(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === "string" && /^-?\d{1,30}$/.test(value) ? BigInt(value) : null;
}
