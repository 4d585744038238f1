import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";

/** Longer than any file takes to be received and kept. Whoever wrote nothing for so long, on another machine, is gone. */
const ABANDONED_MS = 2 * 60 * 60_000;
/** A draft's name says whose it is: machine, process, and a number of its own. */
const NAME = /^(?<machine>[A-Za-z0-9-]+)_(?<pid>\d+)_[0-9a-f-]{36}\.draft$/;

export interface DraftFile {
  readonly path: string;
  readonly handle: FileHandle;
  discard(): Promise<void>;
}

export interface Drafts {
  open(): Promise<DraftFile>;
  sweep(): Promise<void>;
}

/** Files in the making, in a folder that several servers may share. */
export function openDrafts(folder: string): Drafts {
  const machine = hostname().replace(/[^A-Za-z0-9-]/g, "-");
  const mine = new Set<string>();

  async function isAbandoned(name: string): Promise<boolean> {
    const { groups } = NAME.exec(name) ?? {};
    if (groups === undefined || mine.has(name)) return false;
    // Of our own number there is nobody else: it had it before us.
    if (groups.machine === machine) return Number(groups.pid) === process.pid || !isRunning(Number(groups.pid));
    const { mtimeMs } = await stat(path.join(folder, name));
    return Date.now() - mtimeMs > ABANDONED_MS;
  }

  return {
    async open() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
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
      await mkdir(folder, { recursive: true, mode: 0o700 });
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
    // Somebody else's process is one that runs.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
