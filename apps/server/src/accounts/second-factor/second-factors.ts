import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { queueAccountNotice } from "../email/account-notices.ts";
import { type AccountEmail, lockAccount } from "../email/email-links-store.ts";
import { confirmPassword, lockConfirmed, type PasswordConfirmationRefusal } from "../password/confirmation.ts";
import { isRecoveryCode } from "./codes.ts";
import {
  countRecoveryCodes,
  loadSecondFactorRow,
  removeSecondFactor,
  saveConfirmed,
  saveNewSecret,
  saveRecoveryCodes,
  saveSessionCode,
} from "./second-factor-store.ts";

export type CodeRefusal = "too_many_requests" | "wrong_code";

interface SecondFactorState {
  readonly isOn: boolean;
  readonly sinceAt: Instant | null;
  readonly recoveryCodesLeft: number;
}

interface Owner {
  readonly playerId: PlayerId;
}

interface CodeOrder extends Owner {
  readonly token: string;
  readonly code: string;
}

/** One-time codes at login and for sensitive actions (ruling 40). */
export interface SecondFactors {
  loadSecondFactor(playerId: PlayerId): Promise<SecondFactorState>;
  /** Makes a secret that takes effect with its first code. */
  beginSecondFactor(
    order: Owner & { readonly password: string },
  ): Promise<Result<{ readonly secret: string }, PasswordConfirmationRefusal | "second_factor_on">>;
  /** Puts the secret in force. Returns recovery codes, which are shown once. */
  enableSecondFactor(
    order: CodeOrder,
  ): Promise<Result<{ readonly recoveryCodes: readonly string[] }, CodeRefusal | "second_factor_on">>;
  disableSecondFactor(
    order: CodeOrder & { readonly password: string },
  ): Promise<Result<null, PasswordConfirmationRefusal | CodeRefusal>>;
  /** Confirms the session with a code, for sensitive actions of the next minutes. */
  confirmSecondFactor(order: CodeOrder): Promise<Result<null, CodeRefusal>>;
}

interface CodeCheck {
  /** Locked by the caller. */
  readonly account: AccountEmail;
  readonly code: string;
  /** Whose guesses are counted together: a session, a known device, or unknown places (null). */
  readonly guesser: string | null;
}

/**
 * Spends a code in the caller's transaction. Recovery codes have no limit: 50 bits cannot be
 * guessed, so that guesses by others never block the owner.
 */
export async function checkCode(
  tx: Tx,
  { account, code, guesser }: CodeCheck,
  deps: AccountPartDeps,
): Promise<Result<null, CodeRefusal>> {
  const { playerId } = account;
  const { codes } = deps.rateLimiters;
  const key = guesser === null ? playerId : `${playerId} ${guesser}`;
  const isLimited = !isRecoveryCode(code);
  if (isLimited && !(await codes.tryAcquire(key, tx))) return refuse("too_many_requests");
  const at = deps.time.now();
  const checked = await deps.codes.spend(tx, playerId, code, at);
  if (checked === "wrong") return refuse("wrong_code");
  if (isLimited) await codes.giveBackToken(key, tx);
  if (checked === "recovery") {
    const left = await countRecoveryCodes(tx, playerId);
    await queueAccountNotice(tx, account, { type: "recovery_code_used", left }, at, deps);
  }
  return ok(null);
}

export async function isSecondFactorOn(tx: Tx, playerId: PlayerId): Promise<boolean> {
  return (await loadSecondFactorRow(tx, playerId))?.confirmedAt != null;
}

export function openSecondFactors(deps: AccountPartDeps): SecondFactors {
  const { database, time, codes } = deps;

  /** Locks the account first. */
  async function change<Value, Refusal>(
    playerId: PlayerId,
    work: (tx: Tx, account: AccountEmail) => Promise<Result<Value, Refusal>>,
  ): Promise<Result<Value, Refusal>> {
    return await transact(database, async (tx) => {
      const account = await lockAccount(tx, playerId);
      assert(account !== null, `player ${playerId} has no account`);
      return await work(tx, account);
    });
  }

  return {
    async loadSecondFactor(playerId) {
      const row = await loadSecondFactorRow(database.kysely, playerId);
      const sinceAt = row?.confirmedAt ?? null;
      const recoveryCodesLeft = await countRecoveryCodes(database.kysely, playerId);
      return { isOn: sinceAt !== null, sinceAt, recoveryCodesLeft };
    },

    async beginSecondFactor({ playerId, password }) {
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      return await transact(database, async (tx) => {
        if ((await lockConfirmed(tx, playerId, confirmed.value)) === null) return refuse("wrong_password");
        if (await isSecondFactorOn(tx, playerId)) return refuse("second_factor_on");
        const { secret, sealed } = codes.makeSecret(playerId);
        await saveNewSecret(tx, playerId, sealed);
        return ok({ secret });
      });
    },

    enableSecondFactor: ({ playerId, token, code }) =>
      change(playerId, async (tx, account) => {
        if (await isSecondFactorOn(tx, playerId)) return refuse("second_factor_on");
        const checked = await checkCode(tx, { account, code, guesser: token }, deps);
        if (!checked.ok) return checked;
        const at = time.now();
        const made = codes.makeRecoveryCodes();
        await saveConfirmed(tx, playerId, at);
        await saveRecoveryCodes(tx, playerId, made.hashes);
        await saveSessionCode(tx, token, at);
        await queueAccountNotice(tx, account, { type: "second_factor_on" }, at, deps);
        return ok({ recoveryCodes: made.codes });
      }),

    async disableSecondFactor({ playerId, token, password, code }) {
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      return await transact(database, async (tx) => {
        const account = await lockConfirmed(tx, playerId, confirmed.value);
        if (account === null) return refuse("wrong_password");
        if (!(await isSecondFactorOn(tx, playerId))) return ok(null);
        const checked = await checkCode(tx, { account, code, guesser: token }, deps);
        if (!checked.ok) return checked;
        await removeSecondFactor(tx, playerId);
        await queueAccountNotice(tx, account, { type: "second_factor_off" }, time.now(), deps);
        return ok(null);
      });
    },

    confirmSecondFactor: ({ playerId, token, code }) =>
      change(playerId, async (tx, account) => {
        if (!(await isSecondFactorOn(tx, playerId))) return ok(null);
        const checked = await checkCode(tx, { account, code, guesser: token }, deps);
        if (checked.ok) await saveSessionCode(tx, token, time.now());
        return checked;
      }),
  };
}
