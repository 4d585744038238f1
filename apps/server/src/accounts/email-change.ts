import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../platform/database.ts";
import { mailNews, toNewEmailMail } from "./account-mails.ts";
import { type LinkOptions, makeLink } from "./email-links.ts";
import { type EmailHolder, findEmailHolder, saveEmail, voidLinks } from "./email-links-store.ts";
import { writeHeldMail } from "./held-mail.ts";
import type { Mailboxes } from "./mailboxes.ts";
import { removeSessions } from "./sessions-store.ts";

const LIFE_HOURS = 24;

export interface EmailWish {
  /** The account, locked. */
  readonly holder: EmailHolder;
  readonly newEmail: string;
  readonly at: Instant;
}

export interface AskOptions extends LinkOptions {
  readonly mailboxes: Pick<Mailboxes, "find" | "toKey">;
  /** By the time that limits and breaks go by. */
  readonly now: Instant;
  /** Whether whoever this counts, a player or a mailbox, is to be mailed once more that others name their address. */
  readonly mayRemind: (key: string) => boolean;
}

/**
 * Mails the new address a link that makes it the account's, and the old one that this was asked for. Where the new one belongs to another
 * account, or its mailbox is held on account of somebody else, its owner is told instead, and who asked is not: the address changes for
 * nobody (ruling 24).
 */
export async function askNewEmail(
  tx: Tx,
  { holder, newEmail, at }: EmailWish,
  { mailboxes, now, mayRemind, ...options }: AskOptions,
): Promise<void> {
  const { playerId, username } = holder;
  const owner = await findEmailHolder(tx, newEmail);
  const hold = await mailboxes.find(tx, newEmail, playerId, now);
  if (owner === null && hold === null) {
    const order = { playerId, purpose: "change", email: newEmail, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
    const { link, expiresAt } = await makeLink(tx, order, options.publicUrl);
    const mail = toNewEmailMail({ username, link, life: `${LIFE_HOURS} hours` });
    await options.queueMail(tx, { ...mail, to: newEmail, expiresAt });
  } else {
    await voidLinks(tx, playerId, ["change"]);
    if (mayRemind(owner?.playerId ?? mailboxes.toKey(newEmail))) {
      if (owner !== null) await mailNews(tx, owner, { type: "known_new_address" }, at, options);
      else if (hold !== null) {
        await options.queueMail(tx, writeHeldMail({ email: newEmail, hold, publicUrl: options.publicUrl, at }));
      }
    }
  }
  await mailNews(tx, holder, { type: "email_change_asked", newEmail }, at, options);
}

/** What it takes to give an account another address. */
export interface Moving {
  /** The session that goes on; null: none does. */
  readonly keptToken: string | null;
  readonly mailboxes: Pick<Mailboxes, "find" | "holdGivenUp" | "hold">;
  /** By the time that limits and breaks go by. */
  readonly now: Instant;
}

/**
 * Makes an address the account's, verified: links to the old one are void, other sessions end, and the old address is told. What bars the
 * player holds for both.
 */
export async function takeNewEmail(
  tx: Tx,
  { holder, newEmail, at }: EmailWish,
  { keptToken, mailboxes, now }: Moving,
  options: LinkOptions,
): Promise<void> {
  await mailboxes.holdGivenUp(tx, holder.playerId, holder.email, now);
  await saveEmail(tx, holder.playerId, newEmail, at);
  await voidLinks(tx, holder.playerId, ["verify", "change", "reset"]);
  await removeSessions(tx, holder.playerId, keptToken);
  await mailboxes.hold(tx, holder.playerId, now);
  await mailNews(tx, holder, { type: "email_changed", newEmail }, at, options);
}
