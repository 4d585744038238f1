/**
 * `holo backup FOLDER`: copies the arena of DATABASE_URL (else DATA_DIR) and FILES_URL to
 * a new folder while the server runs, and audits the copy. Exits 1 if that fails or finds a fault.
 */
import process from "node:process";
import { loadVersion } from "../../platform/build.ts";
import { takeBackup } from "../backup/backup.ts";
import { type CommandContext, toFolder } from "../command.ts";
import { readStorageConfig } from "../storage.ts";

export const failure = "no backup was made";

export async function run({ args, log, print }: CommandContext): Promise<number> {
  const folder = toFolder(args, "name one new folder, as holo backup /var/backups/holo/monday");
  const config = readStorageConfig(process.env);
  const { audit, missingFiles } = await takeBackup(config, folder, { log, release: loadVersion(), report: print });
  for (const key of missingFiles) print(`MISSING: the uploaded file ${key} could not be copied`);
  print(`the backup is complete: ${folder} (it contains secrets: keep it private)`);
  if (audit === null) {
    print("the database is of an earlier release, so the restore audits it");
    return missingFiles.length === 0 ? 0 : 1;
  }
  if (audit.broken === null) {
    print(`all ${audit.invariants} invariants hold`);
    return missingFiles.length === 0 ? 0 : 1;
  }
  print(`BROKEN: ${audit.broken.name}: ${audit.broken.found}`);
  print("the arena has this fault, and the backup copies it: keep the backup, and repair the arena");
  return 1;
}
