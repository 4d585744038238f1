import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { MailContent } from "../../platform/mail/mail-content.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { queueAccountNotice } from "../email/account-notices.ts";
import { hashToken, queueLinkMail } from "../email/email-links.ts";
import { type AccountEmail, type EmailLink, loadLink, lockAccount } from "../email/email-links-store.ts";
import { saveExclusionsUnproven } from "../restrictions/limits-store.ts";
import { loadSecondFactorRow, removeSecondFactor } from "../second-factor/second-factor-store.ts";
import { applyNewPassword } from "./new-password.ts";

const LIFE_MINUTES = 10;

/**
 * Queues a single-use reset link, valid for ten minutes. The account must be locked. Above the
 * limit of an address that was never verified it does nothing.
 */
export async function queueResetMail(
  tx: Tx,
  { playerId, username, email, isVerified }: AccountEmail,
  at: Instant,
  deps: AccountPartDeps,
): Promise<void> {
  const key = deps.registrationBlocks.toKey(email);
  // A stranger may have registered every spelling of the address.
  if (!isVerified && !(await deps.rateLimiters.unverifiedResets.tryAcquire(key, tx))) return;
  const order = { playerId, purpose: "reset", email, lifeMs: LIFE_MINUTES * MINUTE_MS, at } as const;
  await queueLinkMail(tx, order, (link) => toResetMail(username, link), deps);
}

function toResetMail(username: string, link: string): MailContent {
  return {
    title: "Choose a new password",
    paragraphs: [
      `Hello ${username}. Someone, perhaps you, asked for a new password for your Holo Arena account.`,
      "Open the page to choose one. Then all your devices are logged out.",
    ],
    action: { text: "Choose a new password", url: link },
    notes: [
      `The link works once, for ${LIFE_MINUTES} minutes. A newer one replaces it.`,
      "Not you? Ignore this email: your password stays the same.",
    ],
  };
}

function isUsable(link: EmailLink | null, at: Instant): link is EmailLink {
  return link !== null && link.purpose === "reset" && !link.isUsed && link.expiresAt > at;
}

/** Checked before hashing; `applyReset` checks again. */
export async function isResetLinkUsable(queries: Queries, token: string, at: Instant): Promise<boolean> {
  return isUsable(await loadLink(queries, hashToken(token)), at);
}

export async function applyReset(
  tx: Tx,
  token: string,
  { passwordHash, deviceHash }: { readonly passwordHash: string; readonly deviceHash: string },
  deps: AccountPartDeps,
): Promise<Result<AccountEmail, "unusable_reset_link">> {
  const at = deps.time.now();
  const tokenHash = hashToken(token);
  const found = await loadLink(tx, tokenHash);
  const account = found === null ? null : await lockAccount(tx, found.playerId);
  // Read again: it may have changed while waiting for the lock.
  const link = await loadLink(tx, tokenHash);
  if (account === null || !isUsable(link, at) || link.email !== account.email) return refuse("unusable_reset_link");
  await applyNewPassword(tx, { account, passwordHash, keptToken: null, deviceHash, at }, deps);
  if (!account.isVerified) {
    await removeUnprovenSecondFactor(tx, account, at, deps);
    await saveExclusionsUnproven(tx, account.playerId);
  }
  return ok(account);
}

/** A stranger may have registered the address and switched the codes on, to lock its owner out. */
async function removeUnprovenSecondFactor(
  tx: Tx,
  account: AccountEmail,
  at: Instant,
  deps: AccountPartDeps,
): Promise<void> {
  const row = await loadSecondFactorRow(tx, account.playerId);
  await removeSecondFactor(tx, account.playerId);
  if (row?.confirmedAt != null) await queueAccountNotice(tx, account, { type: "second_factor_off" }, at, deps);
}
