import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { randomUUID, wallMs } from "../runtime.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Longer than any upload takes. A draft of another machine that was not written for this long is
 * abandoned.
 */
const ABANDONED_MS = 2 * 60 * 60_000;
/** The name identifies the owner: machine, process, unique id. */
const NAME = /^(?<machine>[A-Za-z0-9-]+)_(?<pid>\d+)_[0-9a-f-]{36}\.draft$/;

interface DraftFile {
  readonly path: string;
  readonly handle: FileHandle;
  discard(): Promise<void>;
}

interface Drafts {
  open(): Promise<DraftFile>;
  sweep(): Promise<void>;
}

export function openDrafts(folder: string): Drafts {
  const machine = hostname().replace(/[^A-Za-z0-9-]/g, "-");
  const mine = new Set<string>();

  async function isAbandoned(name: string): Promise<boolean> {
    const { groups } = NAME.exec(name) ?? {};
    if (groups === undefined || mine.has(name)) return false;
    // Only this process has this pid now: a draft with it that is not ours is an earlier process's.
    if (groups.machine === machine) return Number(groups.pid) === process.pid || !isRunning(Number(groups.pid));
    const { mtimeMs } = await stat(path.join(folder, name));
    return wallMs() - mtimeMs > ABANDONED_MS;
  }

  return {
    async open() {
      await makeFolder(folder, 0o700);
      const name = `${machine}_${process.pid}_${randomUUID()}.draft`;
      const file = path.join(folder, name);
      mine.add(name);
      const handle = await open(file, "wx+", 0o600).catch((error) => {
        mine.delete(name);
        throw error;
      });
      return {
        path: file,
        handle,
        async discard() {
          await handle.close();
          await rm(file, { force: true });
          mine.delete(name);
        },
      };
    },

    async sweep() {
      await makeFolder(folder, 0o700);
      for (const name of await readdir(folder)) {
        if (await isAbandoned(name)) await rm(path.join(folder, name), { force: true });
      }
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
