import { expect, test } from "vitest";
import { parseOldAddress } from "./old-address.ts";

test.each([
  ["#/reset-password", "/reset-password"],
  ["#/reset-password?token=abc", "/reset-password?token=abc"],
  ["#/reset-password/more", null],
  ["#//evil.example", null],
  ["#limits", null],
  ["", null],
])("the hash %j leads to %j [SITE-06b]", (hash, address) => {
  expect(parseOldAddress(hash)).toBe(address);
});
