import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** 256 random bits as text, made once and kept in `file`, which only its owner may read. Of two starts at once, both get the same. */
export function loadSecret(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8");
  mkdirSync(path.dirname(file), { recursive: true });
  const candidate = `${file}.${randomUUID()}`;
  writeFileSync(candidate, randomBytes(32).toString("hex"), { mode: 0o600 });
  try {
    linkSync(candidate, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(candidate);
  }
  return readFileSync(file, "utf8");
}
