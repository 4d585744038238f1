/** JSON with integers of any size. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes a bigint as a plain integer, like the provider's 64-bit ids. */
export function formatJson(value: Json): string {
  if (typeof value === "bigint") return value.toString();
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(formatJson).join(",")}]`;
  const fields = Object.entries(value as JsonObject).flatMap(([key, field]) =>
    field === undefined ? [] : [`${JSON.stringify(key)}:${formatJson(field)}`],
  );
  return `{${fields.join(",")}}`;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Reads integers beyond 2^53 as bigint; smaller ones stay numbers. Throws a SyntaxError. */
export function parseJson(text: string): Json {
  const revive: Reviver = (_key, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "") ? BigInt(source!) : value;
  // The third argument is standard, but missing in the library's types.
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** Marks bigints and maps, so that `parseState` restores them. */
export function formatState(state: unknown): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value === "bigint") return { $bigint: value.toString() };
    return value instanceof Map ? { $map: [...value] } : value;
  });
}

export function parseState(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (!isObject(value)) return value;
    if (typeof value.$bigint === "string") return BigInt(value.$bigint);
    return Array.isArray(value.$map) ? new Map(value.$map as [unknown, unknown][]) : value;
  });
}
