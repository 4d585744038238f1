import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findKey } from "./sign.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "holo-key-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("uses the key and the timestamp server named by the environment", () => {
  const [file, passwordFile] = [path.join(folder, "key.p12"), path.join(folder, "password")] as const;
  for (const named of [file, passwordFile]) writeFileSync(named, "");
  const env = { HOLO_WINDOWS_KEYSTORE: file, HOLO_WINDOWS_PASSWORD_FILE: passwordFile };
  expect(findKey(env)).toEqual({ file, passwordFile, timestampUrl: null });
  const timestampUrl = "http://time.example";
  expect(findKey({ ...env, HOLO_WINDOWS_TIMESTAMP_URL: timestampUrl })).toEqual({ file, passwordFile, timestampUrl });
});

it("refuses a partly named or missing key", () => {
  const missing = path.join(folder, "missing.p12");
  expect(() => findKey({ HOLO_WINDOWS_KEYSTORE: missing }, folder)).toThrow("both");
  expect(() => findKey({ HOLO_WINDOWS_PASSWORD_FILE: missing }, folder)).toThrow("both");
  const env = { HOLO_WINDOWS_KEYSTORE: missing, HOLO_WINDOWS_PASSWORD_FILE: missing };
  expect(() => findKey(env, folder)).toThrow(`There is no ${missing}`);
  expect(readdirSync(folder)).toEqual([]);
});

it("creates one development key, readable by its user only", () => {
  const { file, passwordFile } = findKey({}, folder);
  const made = readFileSync(file);
  expect(findKey({}, folder)).toMatchObject({ file, passwordFile });
  expect(readFileSync(file)).toEqual(made);
  for (const secret of [file, passwordFile]) expect(statSync(secret).mode & 0o077).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(["windows-development.p12", "windows-development.password"]);
});
