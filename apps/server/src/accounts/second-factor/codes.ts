import { createHmac, hkdfSync } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { Secret, TOTP } from "otpauth";
import type { Tx } from "../../platform/database/database.ts";
import { makeSeal } from "../../platform/mail/seal.ts";
import { randomBytes } from "../../platform/runtime.ts";
import { loadSecondFactorRow, saveUsedStep, spendRecoveryCode } from "./second-factor-store.ts";

type CodeCheck = "right" | "recovery" | "wrong";

/** Secrets are sealed; recovery codes are hashed with a key. */
export interface Codes {
  makeSecret(playerId: PlayerId): { readonly secret: string; readonly sealed: Buffer };
  makeRecoveryCodes(): { readonly codes: readonly string[]; readonly hashes: readonly string[] };
  /** Checks and spends a code of the player's secret. The account must be locked. */
  spend(tx: Tx, playerId: PlayerId, code: string, at: Instant): Promise<CodeCheck>;
}

/** Base32 without padding (RFC 4648), as authenticator apps take it. */
function toBase32(bytes: Uint8Array): string {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;
}

/** The step of a correct code, newer than the last one used; null for a wrong or used code. */
export function findStep(secret: string, code: string, lastStep: number, at: Instant): number | null {
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp: at, window: TOLERANCE });
  const step = delta === null ? lastStep : TOTP.counter({ timestamp: at }) + delta;
  return step > lastStep ? step : null;
}

/** Codes of this many steps before and after the current one are accepted: clocks differ. */
const TOLERANCE = 1;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 50 bits as two groups of five. */
const RECOVERY_BYTES = 7;
const RECOVERY_CHARACTERS = 10;

function normalizeCode(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, "");
}

/** Whether the code has the form of a recovery code, not of an app's code. */
export function isRecoveryCode(text: string): boolean {
  return /^[a-z2-7]{10}$/.test(normalizeCode(text));
}

export function makeCodes(secret: string): Codes {
  const seal = makeSeal(secret, "holo second factors");
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo recovery codes", 32));
  const toHash = (code: string): string => createHmac("sha256", key).update(code).digest("hex");

  return {
    makeSecret(playerId) {
      const made = toBase32(randomBytes(SECRET_BYTES));
      return { secret: made, sealed: seal.close(made, playerId) };
    },

    makeRecoveryCodes() {
      const codes = Array.from({ length: RECOVERY_CODES }, () =>
        toBase32(randomBytes(RECOVERY_BYTES)).slice(0, RECOVERY_CHARACTERS).toLowerCase(),
      );
      return { codes: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes: codes.map(toHash) };
    },

    async spend(tx, playerId, text, at) {
      const code = normalizeCode(text);
      const row = await loadSecondFactorRow(tx, playerId);
      if (row === null) return "wrong";
      if (isRecoveryCode(code)) {
        return (await spendRecoveryCode(tx, playerId, toHash(code), at)) ? "recovery" : "wrong";
      }
      if (!/^\d{6}$/.test(code)) return "wrong";
      const opened = seal.open(row.sealedSecret, playerId);
      assert(opened !== null, `the second factor of ${playerId} was sealed with another secret`);
      const step = findStep(opened, code, row.lastStep, at);
      if (step === null) return "wrong";
      await saveUsedStep(tx, playerId, step);
      return "right";
    },
  };
}
