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

it("uses the key named by the environment", () => {
  expect(findKey(env)).toEqual({ file, alias: "release", passwordFile });
});

it("refuses a partly named or missing key", () => {
  expect(() => findKey({ ...env, HOLO_ANDROID_KEY_ALIAS: "" })).toThrow("named by all of HOLO_ANDROID_KEYSTORE, ");
  expect(() => findKey({ HOLO_ANDROID_KEYSTORE: file })).toThrow("or by none");
  expect(() => findKey({ ...env, HOLO_ANDROID_KEYSTORE: `${file}.lost` })).toThrow(`There is no ${file}.lost`);
});

it("creates one development key and keeps it", () => {
  const key = findKey({});
  expect(key).toMatchObject({ alias: "development", file: expect.stringContaining(".cache") });
  expect(findKey({})).toEqual(key);
});
