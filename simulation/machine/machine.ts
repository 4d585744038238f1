import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { findServiceUser, giveTo } from "../../apps/server/src/platform/postgres/service-user.ts";

/** "fails": with EIO. */
type Syncing = "honest" | "fails";

/** The machine of servers and database as far as the simulation can break it. */
export interface FaultyMachine {
  /** Of servers and database. */
  readonly env: Readonly<Record<string, string>>;
  /** Moves the wall clock, not the monotonic one. */
  setClock(aheadMs: number): void;
  setSyncing(syncing: Syncing): void;
  /** Brings back what was last synced. No process may use the folder. Returns the lost writes. */
  loseUnsynced(folder: string): number;
  remove(): void;
}

interface Undo {
  readonly offset: number;
  readonly size: number;
  readonly old: Buffer;
}

/** A server loads it before its own code. */
export const PRELOAD_OPTION = `--import ${pathToFileURL(path.join(import.meta.dirname, "preload.ts")).href}`;
const SOURCE = path.join(import.meta.dirname, "faulty-machine.c");
const MODES: readonly Syncing[] = ["honest", "fails"];
const FIELD_BYTES = 8;
const HEADER_BYTES = 4 * FIELD_BYTES;
const MARK = Buffer.from("HOLOUNDO");

/** Null without Linux or a C compiler; `say` is told why. */
export function makeFaultyMachine(say: (text: string) => void): FaultyMachine | null {
  const folder = mkdtempSync(path.join(tmpdir(), "holo-machine-"));
  const library = path.join(folder, "faulty-machine.so");
  const built =
    process.platform === "linux"
      ? spawnSync("cc", ["-shared", "-fPIC", "-O2", "-Wall", "-o", library, SOURCE, "-ldl"], { encoding: "utf8" })
      : null;
  if (built?.status !== 0) {
    rmSync(folder, { recursive: true });
    say(`no power cut, failing sync or clock step: ${built?.stderr || "they need Linux and a C compiler (cc)"}`);
    return null;
  }
  const control = path.join(folder, "control");
  const undo = path.join(folder, "undo");
  writeFileSync(control, Buffer.alloc(2 * FIELD_BYTES));
  mkdirSync(undo, { mode: 0o700 });
  // The database may run as another user, which alone writes there.
  chmodSync(folder, 0o755);
  giveTo(findServiceUser(), undo);

  function setControl(index: number, value: bigint): void {
    const bytes = Buffer.alloc(FIELD_BYTES);
    bytes.writeBigInt64LE(value);
    const file = openSync(control, "r+");
    writeSync(file, bytes, 0, FIELD_BYTES, index * FIELD_BYTES);
    closeSync(file);
  }

  return {
    env: { LD_PRELOAD: library, FAULTY_CONTROL: control, FAULTY_UNDO: undo },
    setClock: (aheadMs) => setControl(0, BigInt(aheadMs) * 1_000n),
    setSyncing: (syncing) => setControl(1, BigInt(MODES.indexOf(syncing))),
    loseUnsynced: (disk) => undoAll(undo, disk),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function undoAll(undoFolder: string, disk: string): number {
  // No link is followed: the files are another user's, and this may run as root.
  const files = new Map(
    readdirSync(disk, { recursive: true, encoding: "utf8" }).flatMap((name) => {
      const file = path.join(disk, name);
      const found = lstatSync(file);
      return found.isFile() ? [[String(found.ino), file] as const] : [];
    }),
  );
  let lost = 0;
  for (const inode of readdirSync(undoFolder)) {
    const journal = openSync(path.join(undoFolder, inode), constants.O_RDONLY | constants.O_NOFOLLOW);
    const undos = parseUndos(readFileSync(journal));
    closeSync(journal);
    rmSync(path.join(undoFolder, inode));
    const file = files.get(inode);
    if (file === undefined) continue;
    for (const one of undos.reverse()) undoWrite(file, one);
    lost += undos.length;
  }
  return lost;
}

/** A process that was killed may have left a part of one, before it wrote anything. */
function parseUndos(bytes: Buffer): Undo[] {
  const undos: Undo[] = [];
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at)) {
    if (at + HEADER_BYTES > bytes.length) break;
    const readField = (index: number): number => Number(bytes.readBigInt64LE(at + index * FIELD_BYTES));
    const [offset, size, length] = [readField(1), readField(2), readField(3)];
    const endsAt = at + HEADER_BYTES + length;
    const isWhole = endsAt === bytes.length || bytes.subarray(endsAt, endsAt + MARK.length).equals(MARK);
    if (isWhole) undos.push({ offset, size, old: bytes.subarray(at + HEADER_BYTES, endsAt) });
    at = isWhole ? endsAt : at + MARK.length;
  }
  return undos;
}

function undoWrite(file: string, { offset, size, old }: Undo): void {
  const opened = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
  writeSync(opened, old, 0, old.length, offset);
  ftruncateSync(opened, size);
  closeSync(opened);
}
