import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../platform/database.ts";
import { mailNews, toNewEmailMail } from "./account-mails.ts";
import { type LinkOptions, makeLink } from "./email-links.ts";
import { type EmailHolder, findEmailHolder, saveEmail, voidLinks } from "./email-links-store.ts";
import { removeSessions } from "./sessions-store.ts";

const LIFE_HOURS = 24;

export interface EmailWish {
  /** The account, locked. */
  readonly holder: EmailHolder;
  readonly newEmail: string;
  readonly at: Instant;
}

/**
 * Mails the new address a link that makes it the account's, and the old one that this was asked for. Where the new one belongs to another
 * account its owner is told instead, and who asked is not: the address changes for nobody (ruling 24).
 *
 * @param mayRemind whether the owner of a known address is to be mailed once more
 */
export async function askNewEmail(
  tx: Tx,
  { holder, newEmail, at }: EmailWish,
  mayRemind: (owner: EmailHolder) => boolean,
  options: LinkOptions,
): Promise<void> {
  const { playerId, username } = holder;
  const owner = await findEmailHolder(tx, newEmail);
  if (owner === null) {
    const order = { playerId, purpose: "change", email: newEmail, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
    const { link, expiresAt } = await makeLink(tx, order, options.publicUrl);
    const mail = toNewEmailMail({ username, link, life: `${LIFE_HOURS} hours` });
    await options.queueMail(tx, { ...mail, to: newEmail, expiresAt });
  } else {
    await voidLinks(tx, playerId, ["change"]);
    if (mayRemind(owner)) await mailNews(tx, owner, { type: "known_new_address" }, at, options);
  }
  await mailNews(tx, holder, { type: "email_change_asked", newEmail }, at, options);
}

/** Makes an address the account's, verified: links to the old one are void, other sessions end, and the old address is told. */
export async function takeNewEmail(
  tx: Tx,
  { holder, newEmail, keptToken, at }: EmailWish & { readonly keptToken: string | null },
  options: LinkOptions,
): Promise<void> {
  await saveEmail(tx, holder.playerId, newEmail, at);
  await voidLinks(tx, holder.playerId, ["verify", "change", "reset"]);
  await removeSessions(tx, holder.playerId, keptToken);
  await mailNews(tx, holder, { type: "email_changed", newEmail }, at, options);
}
