import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rm, rmdir, stat, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { makeFolder } from "../../platform/files/make-folder.ts";
import { openFiles } from "../../platform/files/open-files.ts";
import { RELEASES_FOLDER } from "../../releases/release.ts";
import { assertNoUnfinishedRestore } from "../backup/unfinished-restore.ts";
import { type Finding, makeReporter, toReason } from "./finding.ts";

const FREE_BYTES_MIN = 500e6;
const FREE_BYTES_GOOD = 5e9;

async function checkSpace(folder: string, name: string): Promise<Finding> {
  const { ok, warning, fault } = makeReporter("free space");
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${Math.floor(free / 1e6)} MB are free for ${name} (${folder})`;
  if (free < FREE_BYTES_MIN) return fault(found, "free at least 5 GB: on a full disk no move is accepted");
  return free < FREE_BYTES_GOOD ? warning(found, "plan for more space: keep at least 5 GB free") : ok(found);
}

/** The folders that the checks make, and those above them, deepest first. */
function listMissing({ dataDir, files }: Config): readonly string[] {
  const drafts = files.type === "disk" ? path.join(files.folder, "drafts") : files.draftsFolder;
  const missing = new Set<string>();
  for (const folder of [drafts, dataDir]) {
    for (let place = path.resolve(folder); !existsSync(place); place = path.dirname(place)) missing.add(place);
  }
  return [...missing].sort((one, other) => other.length - one.length);
}

/**
 * Removes the empty folders that `check` has made: the doctor may run as another user than the
 * server, which could not write to them.
 */
export async function withoutNewFolders<Value>(config: Config, check: () => Promise<Value>): Promise<Value> {
  const missing = listMissing(config);
  try {
    return await check();
  } finally {
    // On a read-only disk, removing what is not there fails too.
    for (const folder of missing.filter(existsSync)) {
      await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
        // A server that has started meanwhile uses it.
        if (error.code !== "ENOTEMPTY" && error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
      });
    }
  }
}

/** DATA_DIR must be writable, have space, a private secret and no unfinished restore. */
export async function checkDataDir({ dataDir, authSecret }: Config): Promise<readonly Finding[]> {
  const { ok, warning, fault } = makeReporter("DATA_DIR");
  try {
    await makeFolder(dataDir);
    const probe = path.join(dataDir, `.${randomUUID()}.probe`);
    await writeFile(probe, "").finally(() => rm(probe, { force: true }));
  } catch (error) {
    return [
      fault(
        `${dataDir} cannot be written to: ${toReason(error)}`,
        "let the server's user write to it, or set DATA_DIR",
      ),
    ];
  }
  const findings = [ok(`${dataDir} can be written to`), await checkSpace(dataDir, "DATA_DIR")];
  try {
    assertNoUnfinishedRestore(dataDir);
  } catch (error) {
    findings.push(fault("a restore was interrupted", toReason(error)));
  }
  const secretFile = path.join(dataDir, "auth-secret");
  if (!existsSync(secretFile)) return findings;
  if (((await stat(secretFile)).mode & 0o077) !== 0) {
    findings.push(fault(`${secretFile} can be read by other users`, `chmod 600 ${secretFile}`));
  }
  if (authSecret !== null && authSecret !== (await readFile(secretFile, "utf8"))) {
    findings.push(
      warning(
        "AUTH_SECRET is set, and DATA_DIR has another auth-secret, which the server ignores",
        "remove the one that is not in use: sessions and waiting mails belong to one of them",
      ),
    );
  }
  return findings;
}

export async function checkFiles({ files }: Config): Promise<readonly Finding[]> {
  const { ok, fault } = makeReporter("files");
  try {
    const store = openFiles(files);
    const kept = await store.list(RELEASES_FOLDER);
    const draft = await store.openDraft();
    await draft.handle.write("probe").finally(() => draft.discard());
    const place = files.type === "disk" ? files.folder : `bucket ${files.bucket}`;
    const space = files.type === "disk" ? [await checkSpace(files.folder, "uploaded files")] : [];
    return [ok(`${kept.length} uploaded files in ${place}`), ...space];
  } catch (error) {
    const remedy =
      "set FILES_URL to a folder that the server's user may write to, or to a bucket with its key and region";
    return [fault(`the storage of uploaded files is unusable: ${toReason(error)}`, remedy)];
  }
}
