import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { migrate } from "../database/migrations.ts";

const MIGRATIONS = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** Creates the schema of an earlier release, up to the migration `last`, in an empty database. */
export async function migrateUntil(connectionString: string, last: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-migrations-"));
  const files = readdirSync(MIGRATIONS).filter((file) => file <= last);
  for (const file of files) copyFileSync(path.join(MIGRATIONS, file), path.join(folder, file));
  await migrate(connectionString, { folder });
  rmSync(folder, { recursive: true });
}
