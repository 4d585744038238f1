import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import process from "node:process";

/** OWASP's first choice for scrypt, as the exponent of N: 128 MiB and about a third of a second on a small machine. */
const STRONG = 17;
/** Tests log in thousands of times: at full strength that alone would take minutes of them. */
const CHEAP = 10;
/** What new hashes cost. Each hash names its own, so that it is checked at the strength it was made with. */
const COST = process.env.NODE_ENV === "test" ? CHEAP : STRONG;
const MEMORY_BYTES_MAX = 256 * 2 ** 20;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** More at once would take the memory and the threads that everybody else's requests need. */
const HASHES_AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  // Who finishes hands its place over, so a newcomer cannot slip in before those who wait.
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

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: MEMORY_BYTES_MAX };
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        // One password, however the keyboard composed its accents.
        scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

/** A salted scrypt hash as text, to be kept. Bound the password's length before: at most two hashes run at once, the rest wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return `scrypt${COST}:${salt.toString("hex")}:${key.toString("hex")}`;
}

/** `scrypt17`, or `scrypt` alone as hashes were written before they named their cost. */
const SCHEME = /^scrypt(1[0-7])?$/;

/** Whether `password` is the one that was hashed; a text that is no hash of ours is never matched. Takes as long either way. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme = "", salt, key] = hash.split(":");
  const expected = Buffer.from(key ?? "", "hex");
  const known = SCHEME.exec(scheme);
  const cost = known === null ? COST : Number(known[1] ?? STRONG);
  const actual = await derive(password, Buffer.from(salt ?? "", "hex"), cost);
  return known !== null && expected.length === actual.length && timingSafeEqual(expected, actual);
}
