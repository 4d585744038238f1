/** What JSON can say, with integers of any size. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Integers that a double cannot hold come back as bigint: the provider's ids have 64 bits. Smaller ones stay numbers. */
const revive: Reviver = (_key, value, { source }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d{1,30}$/.test(source)
    ? BigInt(source)
    : value;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that this text is; undefined where it is anything else. Nothing is thrown. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    // The third argument is the language's, and not yet in the types of its library.
    const value: unknown = JSON.parse(text, revive as (key: string, value: unknown) => unknown);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // That it is no JSON is the answer.
    return undefined;
  }
}

export function parseText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** An integer however it is written: as a number, or as a text of digits. Null for all else, fractions and exponents too. */
export function parseInteger(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null;
  return typeof value === "string" && /^-?\d{1,30}$/.test(value) ? BigInt(value) : null;
}
