import { expect, test } from "vitest";
import { makeSeal } from "./seal.ts";

const seal = makeSeal("one secret", "a purpose");

test("opens at its place and reveals nothing while sealed", () => {
  const sealed = seal.close("a link, ₦5,000", "mail 1");
  expect(sealed.toString("latin1")).not.toContain("link");
  expect(seal.open(sealed, "mail 1")).toBe("a link, ₦5,000");
  expect(seal.close("a link, ₦5,000", "mail 1")).not.toEqual(sealed);
});

test("opens for no other place, secret or purpose, and not if altered", () => {
  const sealed = seal.close("a link", "mail 1");
  expect(seal.open(sealed, "mail 2")).toBeNull();
  expect(makeSeal("another secret", "a purpose").open(sealed, "mail 1")).toBeNull();
  expect(makeSeal("one secret", "another purpose").open(sealed, "mail 1")).toBeNull();
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(seal.open(altered, "mail 1"), `byte ${at}`).toBeNull();
  }
  for (const length of [0, 11, 27]) expect(seal.open(sealed.subarray(0, length), "mail 1")).toBeNull();
});
