import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { toDigestHead } from "./proof-of-work.ts";

it("equals the first 32 bits of SHA-256 for every length of one block", () => {
  for (let length = 0; length <= 55; length += 1) {
    const text = Array.from({ length }, (_, index) => String.fromCharCode(33 + ((index * 7 + length) % 90))).join("");
    expect(toDigestHead(text)).toBe(createHash("sha256").update(text).digest().readUInt32BE(0));
  }
});

it("refuses a longer text", () => {
  expect(() => toDigestHead("x".repeat(56))).toThrow(RangeError);
});
