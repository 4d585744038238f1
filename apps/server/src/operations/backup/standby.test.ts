import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { migrate } from "../../platform/database/migrations.ts";
import { findBinaries } from "../../platform/postgres/binaries.ts";
import { findPostgresDirectories } from "../../platform/postgres/directories.ts";
import { startEmbeddedPostgres } from "../../platform/postgres/embedded-postgres.ts";
import { findServiceUser } from "../../platform/postgres/service-user.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { until } from "../../testing/server-process.ts";
import { readStorageConfig } from "../storage.ts";
import { takeBackup } from "./backup.ts";

const log = openTestLog();

async function isInRecovery(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    const { rows } = await client.query("select pg_is_in_recovery() as found");
    return rows[0].found;
  } finally {
    await client.end();
  }
}

it("refuses a standby, says that the primary is needed, and leaves nothing [OPS-03]", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "holo-standby-"));
  await chmod(root, 0o711);
  const primary = await startEmbeddedPostgres({ dataDir: path.join(root, "data"), log });
  const { connectionString } = primary;
  await migrate(connectionString);
  await primary.stop();

  const user = findServiceUser();
  const { clusterDir, socketDir } = await findPostgresDirectories(path.join(root, "data"), user, log);
  // Without a primary it waits in recovery, and answers queries meanwhile.
  await writeFile(path.join(clusterDir, "standby.signal"), "");
  const settings = ["-c", "listen_addresses=", "-c", `unix_socket_directories=${socketDir}`];
  const { postgres } = await findBinaries(user);
  const standby = spawn(postgres, ["-D", clusterDir, ...settings], {
    cwd: clusterDir,
    stdio: "ignore",
    ...user,
  });
  try {
    await until(() => isInRecovery(connectionString).catch(() => false));
    const config = readStorageConfig({
      DATABASE_URL: connectionString,
      DATA_DIR: path.join(root, "data"),
      AUTH_SECRET: "x".repeat(32),
    });
    const folder = path.join(root, "backup");
    await expect(takeBackup(config, folder, { log, release: "0.1.0", report: () => {} })).rejects.toThrow(
      "DATABASE_URL names a standby, from which no backup can be made: name the primary",
    );
    await expect(stat(folder)).rejects.toThrow("ENOENT");
  } finally {
    standby.kill("SIGINT");
    await once(standby, "exit");
    await rm(root, { recursive: true });
  }
});
