import { randomBytes, timingSafeEqual } from "node:crypto";
import process from "node:process";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { deriveKey } from "./key-derivation.ts";

/** log2 of N. OWASP's first choice for scrypt: 128 MiB and about 300 ms on a small machine. */
const STRONG = 17;
/** Tests log in thousands of times. */
const CHEAP = 10;
/** The cost of new hashes. A hash names its cost and is verified with it. */
const COST = process.env.NODE_ENV === "test" ? CHEAP : STRONG;
const SALT_BYTES = 16;
/** More would take memory and threads from other requests. */
const HASHES_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  // A finished hash passes its slot on, so that newcomers cannot overtake.
  if (running < HASHES_AT_ONCE) running += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // The same password, however the keyboard composed its accents.
  return await inTurn(() => deriveKey(password.normalize("NFKC"), salt, cost));
}

/**
 * A salted scrypt hash as text. Bound the password's length first. Two hashes run at once; others
 * wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return `scrypt${COST}:${salt.toString("hex")}:${key.toString("hex")}`;
}

/** `scrypt17`, or `scrypt` in hashes from before the cost was recorded. */
const SCHEME = /^scrypt(1[0-7])?$/;

/**
 * Whether `password` was hashed to `hash`. Malformed hashes never match. Takes the same time either
 * way.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme = "", salt, key] = hash.split(":");
  const expected = Buffer.from(key ?? "", "hex");
  const known = SCHEME.exec(scheme);
  const cost = known === null ? COST : Number(known[1] ?? STRONG);
  const actual = await derive(password, Buffer.from(salt ?? "", "hex"), cost);
  return known !== null && expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** Beyond this number, requests are refused before they cost anything. */
const HASHES_WAITING_MAX = 40;

export type HashingQueue = <Value>(work: () => Promise<Value>) => Promise<Result<Value, "too_many_requests">>;

/** Bounds the number of hashing operations in progress or waiting. */
export function makeHashingQueue(): HashingQueue {
  let hashing = 0;
  return async (work) => {
    if (hashing >= HASHES_WAITING_MAX) return refuse("too_many_requests");
    hashing += 1;
    try {
      return ok(await work());
    } finally {
      hashing -= 1;
    }
  };
}
