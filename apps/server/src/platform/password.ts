import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/** OWASP's first choice for scrypt: 128 MiB and about a third of a second on a small machine. */
const COST: ScryptOptions = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 };
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

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        // One password, however the keyboard composed its accents.
        scrypt(password.normalize("NFKC"), salt, KEY_BYTES, COST, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}

/** A salted scrypt hash as text, to be kept. Bound the password's length before: at most two hashes run at once, the rest wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt);
  return `scrypt:${salt.toString("hex")}:${key.toString("hex")}`;
}

/** Whether `password` is the one that was hashed; a text that is no hash of ours is never matched. Takes as long either way. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, salt, key] = hash.split(":");
  const expected = Buffer.from(key ?? "", "hex");
  const actual = await derive(password, Buffer.from(salt ?? "", "hex"));
  return scheme === "scrypt" && expected.length === actual.length && timingSafeEqual(expected, actual);
}
