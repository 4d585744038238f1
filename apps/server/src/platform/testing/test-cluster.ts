import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { findPostmaster, isAlive } from "../postgres/postmaster.ts";
import { startTestPostgres } from "./test-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly templateConnectionString: string;
  }
}

const PREFIX = "holo-test-";

/** A killed run leaves its folder, which is named after its process. */
function removeAbandonedClusters(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : Number.NaN;
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const folder = path.join(tmpdir(), name);
    const postmaster = findPostmaster({
      clusterDir: path.join(folder, "postgres/data"),
      socketDir: path.join(folder, "postgres/socket"),
    });
    if (postmaster !== null) process.kill(postmaster.pid, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Vitest's global setup: one cluster per run, migrated once and cloned for each test file. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  removeAbandonedClusters();
  const postgres = await startTestPostgres(false, `${PREFIX}${process.pid}-`);
  project.provide("templateConnectionString", postgres.connectionString);
  return postgres.stop;
}
