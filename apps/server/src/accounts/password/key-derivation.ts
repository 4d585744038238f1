import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { DerivedKey, KeyRequest } from "./key-derivation-process.ts";
import { deriveHere } from "./scrypt-key.ts";

/**
 * Derives keys from passwords in a process of low priority. Threads of the server would compete
 * with moves: on one core, a flood of registrations slowed a move from 7 ms to 1.8 s.
 */

/** Beside this file, also in the bundle of a release. */
const PROCESS = fileURLToPath(new URL(`key-derivation-process${path.extname(import.meta.url)}`, import.meta.url));

/** Huge pages for glibc 2.35 and later: a key of 128 MiB in small ones takes twice as long. */
const HUGE_PAGES = "glibc.malloc.hugetlb=1";

/** Up to this cost a process would take longer than the key; tests use it. */
const CHEAP_COST = 10;

interface Waiting {
  resolve(key: Buffer): void;
  reject(error: Error): void;
}

interface Deriver {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
}

let deriver: Deriver | null = null;
let lastId = 0;

/** @throws Error if the process ends meanwhile; the next call starts another one */
export async function deriveKey(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (cost <= CHEAP_COST) return await deriveHere(password, salt, cost);
  deriver ??= startDeriver();
  const { child, waiting } = deriver;
  lastId += 1;
  const request: KeyRequest = { id: lastId, password, salt: salt.toString("hex"), cost };
  const key = new Promise<Buffer>((resolve, reject) => waiting.set(request.id, { resolve, reject }));
  // A failure to send is followed by the end of the process, which rejects.
  child.send(request, () => undefined);
  child.channel?.ref();
  return await key;
}

/** The process that derives keys; null before the first key. */
export function derivationPid(): number | null {
  return deriver?.child.pid ?? null;
}

function startDeriver(): Deriver {
  // A session of its own, whose weight it lowers. What it says on failing goes to the server's log.
  const env = { ...process.env, GLIBC_TUNABLES: HUGE_PAGES };
  const child = fork(PROCESS, { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"], detached: true });
  const started: Deriver = { child, waiting: new Map() };
  child.on("message", ({ id, key }: DerivedKey) => {
    started.waiting.get(id)?.resolve(Buffer.from(key, "hex"));
    started.waiting.delete(id);
    if (started.waiting.size === 0) child.channel?.unref();
  });
  function fail(error: Error): void {
    if (deriver === started) deriver = null;
    for (const { reject } of started.waiting.values()) reject(error);
    started.waiting.clear();
  }
  child.on("error", fail);
  child.on("exit", (code, signal) => fail(new Error(`the key derivation ended with ${code ?? signal}`)));
  // It ends with its channel, and must not keep this process alive.
  child.unref();
  child.channel?.unref();
  return started;
}
