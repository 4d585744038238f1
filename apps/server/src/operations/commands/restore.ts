/**
 * `holo restore FOLDER`: restores a backup into an empty DATA_DIR (and empty database of
 * DATABASE_URL) and audits the result. Exits 1 if that fails or finds a fault.
 */
import process from "node:process";
import { restoreBackup } from "../backup/restore.ts";
import { type CommandContext, toFolder } from "../command.ts";
import { formatCount } from "../format-count.ts";
import { readStorageConfig } from "../storage.ts";

export const failure = "nothing was restored";

export async function run({ args, log, print }: CommandContext): Promise<number> {
  const folder = toFolder(args, "name the folder of a backup, as holo restore /var/backups/holo/monday");
  const config = readStorageConfig(process.env);
  const { manifest, invariants, broken } = await restoreBackup(config, folder, { log, report: print });
  const { gameLogRecords, lastJournalEntryId, lastAuditEventId } = manifest.positions;
  print(
    `${formatCount(gameLogRecords, "record")} of games, journal entries up to ${lastJournalEntryId ?? "none"}, audit events up to ${lastAuditEventId ?? "none"}`,
  );
  if (broken === null) {
    print(`all ${invariants} invariants hold: the server can be started`);
    return 0;
  }
  print(`BROKEN: ${broken.name}: ${broken.found}`);
  print("the data are restored as they were backed up: repair this fault before players return");
  return 1;
}
