import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadSecret } from "./secret.ts";

const folder = mkdtempSync(path.join(tmpdir(), "holo-secret-"));

afterAll(() => rmSync(folder, { recursive: true }));

it("makes a secret once, keeps it, and lets nobody else read it", () => {
  const file = path.join(folder, "new/auth-secret");
  const secret = loadSecret(file);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(loadSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o077).toBe(0);
});
