import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "@holo/kernel/instant.ts";

/** One-time codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** Codes of this many steps before and after the current one are accepted: clocks differ. */
const TOLERANCE = 1;

export function toStep(at: Instant): number {
  return Math.floor(at / STEP_MS);
}

export function toCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step of a correct code, newer than the last one used; null for a wrong or used code. */
export function findStep(secret: Buffer, code: string, lastStep: number, at: Instant): number | null {
  const now = toStep(at);
  for (let step = Math.max(now - TOLERANCE, lastStep + 1); step <= now + TOLERANCE; step += 1) {
    if (timingSafeEqual(Buffer.from(toCode(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 without padding (RFC 4648), as authenticator apps take it. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
