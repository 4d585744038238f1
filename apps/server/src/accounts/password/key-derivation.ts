import path from "node:path";
import { openSideProcess } from "../../platform/side-process/side-process.ts";
import type { KeyRequest } from "./key-derivation-process.ts";
import { deriveHere } from "./scrypt-key.ts";

/** Beside this file, also in the bundle of a release. */
const PROGRAM = new URL(`key-derivation-process${path.extname(import.meta.url)}`, import.meta.url);

/** Huge pages for glibc 2.35 and later: a key of 128 MiB in small ones takes twice as long. */
const HUGE_PAGES = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" };

/** Up to this cost a process would take longer than the key; tests use it. */
const CHEAP_COST = 10;

/**
 * Threads of the server would compete with moves: on one core, a flood of registrations slowed a
 * move from 7 ms to 1.8 s.
 */
const deriver = openSideProcess<KeyRequest, Uint8Array>(PROGRAM, { name: "the key derivation", env: HUGE_PAGES });

/** @throws Error if the process ends meanwhile; the next call starts another one */
export async function deriveKey(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (cost <= CHEAP_COST) return await deriveHere(password, salt, cost);
  return Buffer.from(await deriver.ask({ password, salt, cost }));
}

/** The process that derives keys; null before the first key. */
export const derivationPid = (): number | null => deriver.pid();
