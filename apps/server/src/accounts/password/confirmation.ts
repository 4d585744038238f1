import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { type AccountEmail, lockAccount } from "../email/email-links-store.ts";
import { isPassword } from "./password-hash.ts";
import { loadPasswordHash } from "./password-store.ts";

/** Locks the account; false if its password changed since it was confirmed. */
export type LockConfirmed = (tx: Tx) => Promise<boolean>;

export type PasswordConfirmationRefusal = "too_many_requests" | "wrong_password";

/**
 * Confirms the password of a logged-in player before a sensitive action and returns its hash.
 * Guesses are limited separately from logins.
 */
export async function confirmPassword(
  playerId: PlayerId,
  password: string,
  { database, rateLimiters, hashing }: AccountPartDeps,
): Promise<Result<string, PasswordConfirmationRefusal>> {
  const hash = await loadPasswordHash(database.kysely, playerId);
  // By password: guesses under an earlier one do not count after a reset.
  const key = `${playerId} ${hash ?? ""}`;
  if (!(await rateLimiters.confirmations.tryAcquire(key))) return refuse("too_many_requests");
  const checked = await hashing.ofKnown.run(playerId, () => isPassword(password, hash ?? ""));
  if (!checked.ok) return checked;
  if (!checked.value || hash === null) return refuse("wrong_password");
  await rateLimiters.confirmations.giveBackToken(key);
  return ok(hash);
}

/** Locks the account; null if its password changed since the confirmation. */
export async function lockConfirmed(tx: Tx, playerId: PlayerId, hash: string): Promise<AccountEmail | null> {
  const account = await lockAccount(tx, playerId);
  assert(account !== null, `player ${playerId} has no account`);
  return (await loadPasswordHash(tx, playerId)) === hash ? account : null;
}
