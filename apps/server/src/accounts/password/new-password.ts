import type { Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { queueAccountNotice } from "../email/account-notices.ts";
import { type AccountEmail, voidLinks } from "../email/email-links-store.ts";
import { removeNewSecret } from "../second-factor/second-factor-store.ts";
import { removeDevices, saveDevice } from "../sessions/devices-store.ts";
import { removeSessions } from "../sessions/sessions-store.ts";
import { savePasswordHash } from "./password-store.ts";

interface NewPassword {
  /** Locked by the caller. */
  readonly account: AccountEmail;
  readonly passwordHash: string;
  /** The session to keep; null: none. */
  readonly keptToken: string | null;
  /** The device in use, which becomes the only known one; null: it has no cookie. */
  readonly deviceHash: string | null;
  readonly at: Instant;
}

/**
 * Sets the password, ends other sessions, forgets other devices and notifies the owner. Voids links
 * and a secret not in force yet: a thief of the old password must not take over the account.
 */
export async function applyNewPassword(
  tx: Tx,
  { account, passwordHash, keptToken, deviceHash, at }: NewPassword,
  deps: AccountPartDeps,
): Promise<void> {
  await savePasswordHash(tx, account.playerId, passwordHash, at);
  await voidLinks(tx, account.playerId, ["change", "reset"]);
  await removeNewSecret(tx, account.playerId);
  await removeSessions(tx, account.playerId, keptToken);
  await removeDevices(tx, account.playerId);
  if (deviceHash !== null) await saveDevice(tx, account.playerId, deviceHash, at);
  await queueAccountNotice(tx, account, { type: "password_changed" }, at, deps);
}
