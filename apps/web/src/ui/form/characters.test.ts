import { expect, test } from "vitest";
import { toLengthFault } from "./characters.ts";

// [VALID-40 §5 r50] No field cuts what is typed or pasted: reasons, reports, notices, searches and the contact form
// say how many characters are too many.
test("refuses a text that is too long in words, and cuts none [VALID-40]", () => {
  expect(toLengthFault(` ${"a".repeat(500)} `, 500)).toBeUndefined();
  expect(toLengthFault("a".repeat(501), 500)).toBe("1 character too many. At most 500 fit.");
  expect(toLengthFault("a".repeat(1_520), 500)).toBe("1020 characters too many. At most 500 fit.");
});
