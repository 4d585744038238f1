import { addMs, toInstant } from "@holo/kernel/instant.ts";
import { Secret, TOTP } from "otpauth";
import { expect, it } from "vitest";
import { findStep } from "./codes.ts";

const STEP_MS = 30_000;
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const at = toInstant(1_111_111_111_000);
const now = Math.floor(at / STEP_MS);

it("accepts the code that apps show, by the test vector of RFC 6238", () => {
  expect(findStep(SECRET, "050471", 0, at)).toBe(now);
});

it("accepts the codes of the neighbouring steps, and each once", () => {
  const toCode = (steps: number) =>
    TOTP.generate({ secret: Secret.fromBase32(SECRET), timestamp: addMs(at, steps * STEP_MS) });
  for (const steps of [-1, 0, 1]) expect(findStep(SECRET, toCode(steps), 0, at)).toBe(now + steps);
  for (const steps of [-2, 2]) expect(findStep(SECRET, toCode(steps), 0, at)).toBeNull();
  expect(findStep(SECRET, toCode(0), now, at)).toBeNull();
  expect(findStep(SECRET, toCode(1), now, at)).toBe(now + 1);
});
