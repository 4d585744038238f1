import { timingSafeEqual } from "node:crypto";
import process from "node:process";
import { randomBytes } from "../../platform/runtime.ts";
import { deriveKey } from "./key-derivation.ts";

/** log2 of N. OWASP's first choice for scrypt: 128 MiB and about 300 ms on a small machine. */
const STRONG = 17;
/** Tests log in thousands of times. */
const CHEAP = 10;
/** The cost of new hashes. A hash names its cost and is verified with it. */
const COST = process.env.NODE_ENV === "test" ? CHEAP : STRONG;
const SALT_BYTES = 16;

async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  // The same password, however the keyboard composed its accents.
  return await deriveKey(password.normalize("NFKC"), salt, cost);
}

/** A salted scrypt hash as text. Bound the password's length and queue it in `Hashing`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return `scrypt${COST}:${salt.toString("hex")}:${key.toString("hex")}`;
}

/** With its cost, as in `scrypt17`. */
const SCHEME = /^scrypt(1[0-7])$/;

/**
 * Whether `password` was hashed to `hash`. Malformed hashes never match. Takes the same time either
 * way.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme = "", salt, key] = hash.split(":");
  const expected = Buffer.from(key ?? "", "hex");
  const known = SCHEME.exec(scheme);
  const cost = known === null ? COST : Number(known[1]);
  const actual = await derive(password, Buffer.from(salt ?? "", "hex"), cost);
  return known !== null && expected.length === actual.length && timingSafeEqual(expected, actual);
}
