import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { QR_SIZE, toQrCode } from "./qr-code.tsx";

/** Digests of the modules that another encoder (uqr 0.1.3) made, with the same size and mask. */
it.each([
  [
    "otpauth://totp/Holo%20Arena:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Holo%20Arena",
    "401d41b978df7eeeb35250fcc02ba3a14b9d9e577f42d53620567f01753e7195",
  ],
  ["a", "40fb29b50888151fac73c653f80b92771ab03d500857c7aa5b9a7e6617782363"],
  ["x".repeat(134), "ef6619a67a1805fe97f9eeca35e457247f42b436293bfc59cc94432e752b3d11"],
  ["é".repeat(40), "9cd10fc458881b14b33773486abe93532ff9ae04724224493273f714724928df"],
])("draws %j as another encoder does", (text, digest) => {
  const rows = toQrCode(text);
  expect(rows).toHaveLength(QR_SIZE);
  const drawn = rows.map((row) => row.map(Number).join("")).join("\n");
  expect(createHash("sha256").update(drawn).digest("hex")).toBe(digest);
});

it("refuses a text that does not fit", () => {
  expect(() => toQrCode("x".repeat(135))).toThrow(RangeError);
});
