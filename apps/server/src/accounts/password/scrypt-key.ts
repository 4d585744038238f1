import { scrypt } from "node:crypto";

const KEY_BYTES = 32;
const MEMORY_BYTES_MAX = 256 * 2 ** 20;

/** A key of 32 bytes by scrypt, on a thread of this process. @param cost log2 of N */
export function deriveHere(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: 8, p: 1, maxmem: MEMORY_BYTES_MAX };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
