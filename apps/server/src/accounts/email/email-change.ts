import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { writeRegistrationBlockMail } from "../registration/registration-block-mail.ts";
import type { RegistrationBlocks } from "../registration/registration-blocks.ts";
import { removeSessions } from "../sessions/sessions-store.ts";
import { queueAccountNotice, toNewEmailMail } from "./account-mails.ts";
import { type LinkOptions, makeLink } from "./email-links.ts";
import { type AccountEmail, findAccountByEmail, saveEmail, voidLinks } from "./email-links-store.ts";

const LIFE_HOURS = 24;

export interface EmailChange {
  /** Locked by the caller. */
  readonly account: AccountEmail;
  readonly newEmail: string;
  readonly at: Instant;
}

export interface EmailChangeRequestOptions extends LinkOptions {
  readonly registrationBlocks: Pick<RegistrationBlocks, "find" | "toKey">;
  /** By the clock of limits and self-exclusions. */
  readonly now: Instant;
  /** Limits notices to third parties, by player id or registration block key. */
  readonly mayNotify: (key: string) => boolean;
}

/**
 * Mails a link to the new address and a notice to the old one. If the new address belongs to
 * another account or is blocked, its owner is notified instead, with the same answer to the
 * requester (ruling 24).
 */
export async function requestEmailChange(
  tx: Tx,
  { account, newEmail, at }: EmailChange,
  { registrationBlocks, now, mayNotify, ...options }: EmailChangeRequestOptions,
): Promise<void> {
  const { playerId, username } = account;
  const owner = await findAccountByEmail(tx, newEmail);
  const hold = await registrationBlocks.find(tx, newEmail, playerId, now);
  if (owner === null && hold === null) {
    const order = { playerId, purpose: "change", email: newEmail, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
    const { link, expiresAt } = await makeLink(tx, order, options.publicUrl);
    const mail = toNewEmailMail({ username, link, life: `${LIFE_HOURS} hours` });
    await options.queueMail(tx, { ...mail, to: newEmail, expiresAt });
  } else {
    await voidLinks(tx, playerId, ["change"]);
    if (mayNotify(owner?.playerId ?? registrationBlocks.toKey(newEmail))) {
      if (owner !== null) await queueAccountNotice(tx, owner, { type: "known_new_address" }, at, options);
      else if (hold !== null) {
        await options.queueMail(
          tx,
          writeRegistrationBlockMail({ email: newEmail, hold, publicUrl: options.publicUrl, at }),
        );
      }
    }
  }
  await queueAccountNotice(tx, account, { type: "email_change_asked", newEmail }, at, options);
}

export interface EmailChangeContext {
  /** The session to keep; null: none. */
  readonly keptToken: string | null;
  readonly registrationBlocks: Pick<RegistrationBlocks, "find" | "recordGivenUpEmail" | "record">;
  /** By the clock of limits and self-exclusions. */
  readonly now: Instant;
}

/**
 * Sets the new, verified address: voids links, ends other sessions and notifies the old address.
 * Restrictions block both addresses.
 */
export async function applyEmailChange(
  tx: Tx,
  { account, newEmail, at }: EmailChange,
  { keptToken, registrationBlocks, now }: EmailChangeContext,
  options: LinkOptions,
): Promise<void> {
  await registrationBlocks.recordGivenUpEmail(tx, account.playerId, account.email, now);
  await saveEmail(tx, account.playerId, newEmail, at);
  await voidLinks(tx, account.playerId, ["verify", "change", "reset"]);
  await removeSessions(tx, account.playerId, keptToken);
  await registrationBlocks.record(tx, account.playerId, now);
  await queueAccountNotice(tx, account, { type: "email_changed", newEmail }, at, options);
}
