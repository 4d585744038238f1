/**
 * `npm run -s backup -- FOLDER`: copies the arena of DATABASE_URL (else DATA_DIR) and FILES_URL to
 * a new folder while the server runs, and audits the copy. Exits 1 if that fails or finds a fault.
 */
import process from "node:process";
import { takeBackup } from "../apps/server/src/operations/backup/backup.ts";
import { loadRelease, runCommand, toFolder } from "../apps/server/src/operations/command.ts";
import { readStorageConfig } from "../apps/server/src/operations/storage.ts";

await runCommand("no backup was made", async ({ args, log, print }) => {
  const folder = toFolder(args, "name one new folder, as npm run -s backup -- /var/backups/holo/monday");
  const config = readStorageConfig(process.env);
  const { audit, missingFiles } = await takeBackup(config, folder, { log, release: loadRelease(), report: print });
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
});
