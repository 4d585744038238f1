import { toInstant } from "@holo/kernel/instant.ts";
import { expect, it } from "vitest";
import { findStep, toBase32, toCode, toStep } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

/** RFC 6238, appendix B: the last six of its eight digits. */
it.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("makes the code of second %i", (second, code) => {
  expect(toCode(secret, toStep(toInstant(second * 1_000)))).toBe(code);
});

it("accepts the codes of the neighbouring steps, and each once", () => {
  const at = toInstant(1_111_111_111_000);
  const now = toStep(at);
  for (const step of [now - 1, now, now + 1]) expect(findStep(secret, toCode(secret, step), 0, at)).toBe(step);
  for (const step of [now - 2, now + 2]) expect(findStep(secret, toCode(secret, step), 0, at)).toBeNull();
  expect(findStep(secret, toCode(secret, now), now, at)).toBeNull();
});

/** RFC 4648, section 10. */
it.each([
  ["", ""],
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foobar", "MZXW6YTBOI"],
])("writes %j in base32", (text, expected) => {
  expect(toBase32(Buffer.from(text))).toBe(expected);
});
