import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** An authenticator app: the code of a base32 secret at this time (RFC 6238). */
export function toAuthenticatorCode(secret: string, atMs: number): string {
  const bits = [...secret].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const counter = Math.floor(atMs / 30_000)
    .toString(16)
    .padStart(16, "0");
  const digest = createHmac("sha1", key).update(Buffer.from(counter, "hex")).digest();
  const offset = Number(`0x${digest.toString("hex").at(-1)}`);
  const number = Number.parseInt(digest.toString("hex", offset, offset + 4), 16) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, "0");
}
