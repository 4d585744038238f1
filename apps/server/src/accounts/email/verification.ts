import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import { isRoleEmail } from "../roles/roles-store.ts";
import { isSessionOf } from "../sessions/sessions-store.ts";
import { lockRegistration } from "../store.ts";
import { applyEmailChange, type EmailChangeContext } from "./email-change.ts";
import { hashToken, type LinkOptions, makeLink } from "./email-links.ts";
import {
  type AccountEmail,
  findAccountByEmail,
  loadLink,
  lockAccount,
  saveEmailVerified,
  spendLink,
} from "./email-links-store.ts";
import { toVerificationMail } from "./verification-mail.ts";

const LIFE_HOURS = 24;

/**
 * Mails the account's owner a link that verifies their address, once, within a day; an earlier link is void from now on. The account has
 * to be locked, or new in this transaction.
 */
export async function queueVerificationMail(
  tx: Tx,
  { playerId, username, email }: Omit<AccountEmail, "isVerified">,
  at: Instant,
  { publicUrl, queueMail }: LinkOptions,
): Promise<void> {
  const order = { playerId, purpose: "verify", email, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
  const { link, expiresAt } = await makeLink(tx, order, publicUrl);
  await queueMail(tx, { ...toVerificationMail({ username, link, lifeHours: LIFE_HOURS }), to: email, expiresAt });
}

/** What following a link came to. */
export interface Verification {
  readonly playerId: PlayerId;
  /** Whether the account has another address than before, and sessions ended for it. */
  readonly isEmailChanged: boolean;
}

/**
 * Marks the address verified that this token was mailed to, and makes it the account's where that was asked for. Once used, the same token
 * gets the same answer as long as the address is still the account's. One refusal for all that is wrong with a link: unknown, replaced,
 * expired, of an address given up since, or of one that somebody else has by now, or whose mailbox is held by now.
 * Where the address gives a say in the house it takes a session of the account too (`link_login_required`): else a stranger who registered
 * with it, or asked for it, would have what its owner's press gives.
 */
export async function verifyByLink(
  tx: Tx,
  token: string,
  moving: EmailChangeContext,
  at: Instant,
  options: LinkOptions,
): Promise<Result<Verification, "unusable_link" | "link_login_required">> {
  const tokenHash = hashToken(token);
  const found = await loadLink(tx, tokenHash);
  if (found === null || found.purpose === "reset") return refuse("unusable_link");
  // Nobody registers with the address while it changes hands.
  if (found.purpose === "change") await lockRegistration(tx);
  const holder = await lockAccount(tx, found.playerId);
  // Read again: while the account was waited for, the link may have been used or replaced.
  const link = await loadLink(tx, tokenHash);
  if (holder === null || link === null) return refuse("unusable_link");
  const { playerId } = holder;
  const isOwn = link.email === holder.email;
  if (link.isUsed)
    return isOwn && holder.isVerified ? ok({ playerId, isEmailChanged: false }) : refuse("unusable_link");
  if (link.expiresAt <= at) return refuse("unusable_link");
  if (link.purpose === "verify" && !isOwn) return refuse("unusable_link");
  if ((await isRoleEmail(tx, link.email)) && !(await isSessionOf(tx, playerId, moving.keptToken, at))) {
    return refuse("link_login_required");
  }
  if (link.purpose === "change") {
    if ((await findAccountByEmail(tx, link.email)) !== null) return refuse("unusable_link");
    if ((await moving.registrationBlocks.find(tx, link.email, playerId, moving.now)) !== null)
      return refuse("unusable_link");
    await spendLink(tx, tokenHash, at);
    await applyEmailChange(tx, { account: holder, newEmail: link.email, at }, moving, options);
    return ok({ playerId, isEmailChanged: true });
  }
  await spendLink(tx, tokenHash, at);
  await saveEmailVerified(tx, playerId, at);
  return ok({ playerId, isEmailChanged: false });
}
