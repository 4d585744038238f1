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
  /** The account, locked. */
  readonly account: AccountEmail;
  readonly newEmail: string;
  readonly at: Instant;
}

export interface EmailChangeRequestOptions extends LinkOptions {
  readonly registrationBlocks: Pick<RegistrationBlocks, "find" | "toKey">;
  /** By the time that limits and breaks go by. */
  readonly now: Instant;
  /** Whether whoever this counts, a player or a mailbox, is to be mailed once more that others name their address. */
  readonly mayNotify: (key: string) => boolean;
}

/**
 * Mails the new address a link that makes it the account's, and the old one that this was asked for. Where the new one belongs to another
 * account, or its mailbox is held on account of somebody else, its owner is told instead, and who asked is not: the address changes for
 * nobody (ruling 24).
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

/** What it takes to give an account another address. */
export interface EmailChangeContext {
  /** The session that goes on; null: none does. */
  readonly keptToken: string | null;
  readonly registrationBlocks: Pick<RegistrationBlocks, "find" | "recordGivenUpEmail" | "record">;
  /** By the time that limits and breaks go by. */
  readonly now: Instant;
}

/**
 * Makes an address the account's, verified: links to the old one are void, other sessions end, and the old address is told. What bars the
 * player holds for both.
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
