import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { randomBytes } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import type { HashingLane, HashingQueues } from "./hashing-queues.ts";

export interface Challenge {
  /** Append ":" and a text such that the SHA-256 of the whole begins with `bits` zero bits. */
  readonly challenge: string;
  readonly bits: number;
}

/**
 * Costs a sender work under pressure or above the limit of a network address (`AddressLimiter`).
 * Challenges are signed and stored nowhere; each works once, for one network address.
 */
export interface ProofOfWork {
  requiredBits(lane: "login" | "registration"): number;
  issue(address: string): Challenge;
  /** False for a missing, wrong, expired, foreign or used proof. */
  trySpend(proof: string | undefined, address: string): boolean;
}

/** About two seconds of hashing. A shorter queue requires no proof. */
const FREE_WAITING_MAX = 12;
/** The same limit as a wait, for a busy machine whose hashes take longer. */
const FREE_WAIT_MS = 500;
/** 32,768 hashes on average: a tenth of a second on a slow phone. */
const BITS_MIN = 15;
/** 262,144 hashes on average: a second on a slow phone. */
const BITS_MAX = 18;
const WAITING_PER_BIT = 6;
const CHALLENGE_LIFE_MS = 2 * MINUTE_MS;

const PROVEN = { login: "provenLogin", registration: "provenRegistration" } as const satisfies Record<
  string,
  HashingLane
>;

export const toProvenLane = (lane: "login" | "registration"): HashingLane => PROVEN[lane];

export function makeProofOfWork(
  time: Time,
  secret: string,
  queues: Pick<HashingQueues, "waitingCount" | "longestWaitMs">,
): ProofOfWork {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo proof of work", 32));
  /** Spent challenges until they expire, oldest first. */
  const spent = new Map<string, number>();

  const sign = (text: string, address: string): string =>
    createHmac("sha256", key).update(`${text} ${address}`).digest("base64url").slice(0, 16);

  function removeExpired(nowMs: number): void {
    for (const [challenge, expiresMs] of spent) {
      if (expiresMs > nowMs) return;
      spent.delete(challenge);
    }
  }

  function bitsNow(): number {
    const proven = Math.max(queues.waitingCount("provenLogin"), queues.waitingCount("provenRegistration"));
    return Math.min(BITS_MAX, BITS_MIN + Math.floor(proven / WAITING_PER_BIT));
  }

  return {
    requiredBits(lane) {
      const isBusy = queues.waitingCount(lane) >= FREE_WAITING_MAX || queues.longestWaitMs(lane) >= FREE_WAIT_MS;
      return isBusy ? bitsNow() : 0;
    },

    issue(address) {
      const bits = bitsNow();
      const expires = (time.now() + CHALLENGE_LIFE_MS).toString(36);
      const text = `${expires}.${bits}.${randomBytes(6).toString("base64url")}`;
      return { challenge: `${text}.${sign(text, address)}`, bits };
    },

    trySpend(proof, address) {
      const parsed = proof === undefined ? null : PROOF.exec(proof);
      if (proof === undefined || parsed === null) return false;
      const [, challenge = "", text = "", expires = "", bits = "", signature = ""] = parsed;
      const [expiresMs, nowMs] = [Number.parseInt(expires, 36), time.now()];
      if (expiresMs <= nowMs || spent.has(challenge)) return false;
      if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(text, address)))) return false;
      if (countZeroBits(createHash("sha256").update(proof).digest()) < Number(bits)) return false;
      removeExpired(nowMs);
      spent.set(challenge, expiresMs);
      return true;
    },
  };
}

const PROOF = /^((([0-9a-z]{8,9})\.(\d{1,2})\.[\w-]{8})\.([\w-]{16})):[0-9a-z]{1,8}$/;

function countZeroBits(digest: Buffer): number {
  const head = digest.readUInt32BE(0);
  return head === 0 ? 32 : Math.clz32(head);
}
