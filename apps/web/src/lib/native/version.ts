import { RELEASE_VERSION } from "@holo/protocol/release-terms.ts";

export function isVersion(text: string): boolean {
  return RELEASE_VERSION.test(text);
}

/** Compares numerically, part by part: 1.10.0 is newer than 1.9.9. */
export function isNewer(version: string, than: string): boolean {
  const others = toParts(than);
  for (const [index, part] of toParts(version).entries()) {
    const other = others[index] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}

function toParts(version: string): readonly number[] {
  return version.split(".").map(Number);
}
