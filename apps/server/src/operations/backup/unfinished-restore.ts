import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "../../platform/files/make-folder.ts";

function toMarker(dataDir: string): string {
  return path.join(dataDir, "restore-unfinished");
}

export async function markUnfinished(dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  await writeFile(toMarker(dataDir), "", { flag: "wx", flush: true });
}

export async function markFinished(dataDir: string): Promise<void> {
  await rm(toMarker(dataDir));
}

/** Throws if a restore into this folder was interrupted: it may hold half an arena. */
export function assertNoUnfinishedRestore(dataDir: string): void {
  if (!existsSync(toMarker(dataDir))) return;
  throw new Error(
    `a restore into ${dataDir} was interrupted: delete the folder, empty the database of DATABASE_URL if you use one, and restore again`,
  );
}
