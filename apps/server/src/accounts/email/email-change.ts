import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { MailContent } from "../../platform/mail/mail-content.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { saveVerifiedEmail } from "../accounts-store.ts";
import { toRegistrationBlockMail } from "../registration/registration-block-mail.ts";
import { removeSessions } from "../sessions/sessions-store.ts";
import { queueAccountNotice } from "./account-notices.ts";
import { queueLinkMail } from "./email-links.ts";
import { type AccountEmail, findAccountByEmail, voidLinks } from "./email-links-store.ts";

const LIFE_HOURS = 24;

interface EmailChange {
  /** Locked by the caller. */
  readonly account: AccountEmail;
  readonly newEmail: string;
  readonly at: Instant;
}

/**
 * Mails a link to the new address and a notice to the old one. The owner of a taken or blocked
 * address is notified instead, with the same answer to the requester (ruling 24).
 */
export async function requestEmailChange(tx: Tx, change: EmailChange, deps: AccountPartDeps): Promise<void> {
  const { account, newEmail, at } = change;
  const { playerId, username } = account;
  const owner = await findAccountByEmail(tx, newEmail);
  const block = await deps.registrationBlocks.find(tx, newEmail, playerId, deps.tableTime.now());
  if (owner === null && block === null) {
    const order = { playerId, purpose: "change", email: newEmail, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
    await queueLinkMail(tx, order, (link) => toNewEmailMail(username, link), deps);
  } else {
    await voidLinks(tx, playerId, ["change"]);
    if (await deps.rateLimiters.thirdPartyNotices.tryAcquire(deps.registrationBlocks.toKey(newEmail), tx)) {
      if (owner !== null) await queueAccountNotice(tx, owner, { type: "known_new_address" }, at, deps);
      else if (block !== null) {
        await deps.queueMail(tx, toRegistrationBlockMail({ email: newEmail, block, publicUrl: deps.publicUrl, at }));
      }
    }
  }
  await queueAccountNotice(tx, account, { type: "email_change_asked", newEmail }, at, deps);
}

function toNewEmailMail(username: string, link: string): MailContent {
  return {
    title: "Verify your new email",
    paragraphs: [
      `Hello ${username}. This is the new email for your Holo Arena account, once you verify it.`,
      "Log in with your current email, open the page and press the button. Then your other devices are logged out.",
    ],
    action: { text: "Use this email", url: link },
    notes: [
      `The link works once, for ${LIFE_HOURS} hours. A newer one replaces it.`,
      "No Holo Arena account? Ignore this email: nothing happens unless you open the link.",
    ],
  };
}

/**
 * Sets the new, verified address: voids links, ends sessions except `keptToken` (null: all) and
 * notifies the old address. Restrictions block both addresses.
 */
export async function applyEmailChange(
  tx: Tx,
  { account, newEmail, at }: EmailChange,
  keptToken: string | null,
  deps: AccountPartDeps,
): Promise<void> {
  const { registrationBlocks } = deps;
  const now = deps.tableTime.now();
  await registrationBlocks.recordGivenUpEmail(tx, account, now);
  await saveVerifiedEmail(tx, account.playerId, newEmail, at);
  await voidLinks(tx, account.playerId, ["verify", "change", "reset"]);
  await removeSessions(tx, account.playerId, keptToken);
  await registrationBlocks.record(tx, account.playerId, now);
  await queueAccountNotice(tx, account, { type: "email_changed", newEmail }, at, deps);
}
