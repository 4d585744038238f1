import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { findKey } from "../key.ts";

const folder = mkdtempSync(path.join(tmpdir(), "holo-key-"));
const file = path.join(folder, "release.p12");
const passwordFile = path.join(folder, "password");
writeFileSync(file, "");
writeFileSync(passwordFile, "secret\n");
const env = {
  HOLO_ANDROID_KEYSTORE: file,
  HOLO_ANDROID_KEY_ALIAS: "release",
  HOLO_ANDROID_PASSWORD_FILE: passwordFile,
};

afterAll(() => rmSync(folder, { recursive: true }));

it("signs with the key that the environment names", () => {
  expect(findKey(env)).toEqual({ file, alias: "release", passwordFile });
});

it("signs with no other where that is named in part, or is not there", () => {
  expect(() => findKey({ ...env, HOLO_ANDROID_KEY_ALIAS: "" })).toThrow("named by all of HOLO_ANDROID_KEYSTORE, ");
  expect(() => findKey({ HOLO_ANDROID_KEYSTORE: file })).toThrow("or by none");
  expect(() => findKey({ ...env, HOLO_ANDROID_KEYSTORE: `${file}.lost` })).toThrow(`There is no ${file}.lost`);
});

it("signs with one for development where none is named, the same each time", () => {
  const key = findKey({});
  expect(key).toMatchObject({ alias: "development", file: expect.stringContaining(".cache") });
  expect(findKey({})).toEqual(key);
});
