import { expect, test } from "vitest";
import { isNewer, isVersion } from "./version.ts";

test.each([
  ["1.2.4", "1.2.3"],
  ["1.10.0", "1.9.9"],
  ["2.0.0", "1.9999.9999"],
  ["0.0.1", "0.0.0"],
])("%s is newer than %s, and not the reverse", (newer, older) => {
  expect(isNewer(newer, older)).toBe(true);
  expect(isNewer(older, newer)).toBe(false);
});

test("a version is not newer than itself in any spelling", () => {
  expect(isNewer("1.2.3", "1.2.3")).toBe(false);
  expect(isNewer("1.02.3", "1.2.03")).toBe(false);
});

test.each(["", "1", "1.2", "1.2.3.4", "1.2.x", "v1.2.3", "1.2.3 ", "1.2.-3", "1.2.12345", "1.2.3\n"])(
  "%j is not a version",
  (text) => {
    expect(isVersion(text)).toBe(false);
  },
);
