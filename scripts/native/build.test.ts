import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { writeChecksum } from "./build.ts";

it("writes a SHA-256 file that sha256sum accepts", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-seal-"));
  const file = path.join(folder, "holo-arena-1.2.3.apk");
  writeFileSync(file, "abc");
  const line = writeChecksum(file);
  // The digest of "abc" in FIPS 180-4.
  const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(readFileSync(`${file}.sha256`, "utf8")).toBe(`${sha256}  holo-arena-1.2.3.apk\n`);
  expect(line).toContain(sha256);
  rmSync(folder, { recursive: true });
});
