import type { ByteRange } from "../../../platform/files/files.ts";

/** The requested part of a file: all, a range, or one outside the file. */
export type RequestedRange =
  | { readonly type: "all" }
  | { readonly type: "part"; readonly range: ByteRange }
  | { readonly type: "none" };

const ALL: RequestedRange = { type: "all" };
const SINGLE = /^bytes=\s*(?<first>\d{0,15})-(?<last>\d{0,15})\s*$/i;

/**
 * Parses a single range (RFC 9110, section 14.1.2). Several or invalid ranges yield the whole file.
 */
export function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const { first = "", last = "" } = SINGLE.exec(header ?? "")?.groups ?? {};
  if (first === "" && last === "") return ALL;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? { type: "none" } : toPart(sizeBytes - length, sizeBytes - 1);
  }
  if (last !== "" && Number(last) < Number(first)) return ALL;
  if (Number(first) >= sizeBytes) return { type: "none" };
  return toPart(Number(first), last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1));
}

function toPart(first: number, last: number): RequestedRange {
  return { type: "part", range: { first, last } };
}
