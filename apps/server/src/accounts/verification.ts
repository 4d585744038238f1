import { hash, randomBytes } from "node:crypto";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../platform/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import {
  type EmailHolder,
  loadLink,
  lockEmailHolder,
  replaceLink,
  saveEmailVerified,
  spendLink,
} from "./email-links-store.ts";
import { toVerificationMail } from "./verification-mail.ts";

export interface LinkOptions {
  /** The arena's own origin, from the configuration: what a request says about its host is never in a link. */
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
}

const TOKEN_BYTES = 32;
const LIFE_HOURS = 24;

function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Mails the account's owner a link that verifies their address, once, within a day; an earlier link is void from now on. The account has
 * to be locked, or new in this transaction.
 */
export async function mailVerification(
  tx: Tx,
  { playerId, username, email }: Omit<EmailHolder, "isVerified">,
  at: Instant,
  { publicUrl, queueMail }: LinkOptions,
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const expiresAt = addMs(at, LIFE_HOURS * 60 * MINUTE_MS);
  await replaceLink(tx, { tokenHash: hashToken(token), playerId, email, createdAt: at, expiresAt });
  const link = `${publicUrl}/verify-email?token=${token}`;
  await queueMail(tx, { ...toVerificationMail({ username, link, lifeHours: LIFE_HOURS }), to: email, expiresAt });
}

/**
 * Marks the address verified that this token was mailed to. Once used, the same token gets the same answer as long as the address is
 * still the account's. One refusal for all that is wrong with a link: unknown, replaced, expired, of an address given up since.
 */
export async function verifyByLink(tx: Tx, token: string, at: Instant): Promise<Result<null, "unusable_link">> {
  const tokenHash = hashToken(token);
  const found = await loadLink(tx, tokenHash);
  const holder = found === null ? null : await lockEmailHolder(tx, found.playerId);
  // Read again: while the account was waited for, the link may have been used or replaced.
  const link = await loadLink(tx, tokenHash);
  if (holder === null || link === null || link.email !== holder.email) return refuse("unusable_link");
  if (link.isUsed) return holder.isVerified ? ok(null) : refuse("unusable_link");
  if (link.expiresAt <= at) return refuse("unusable_link");
  await spendLink(tx, tokenHash, at);
  await saveEmailVerified(tx, holder.playerId, at);
  return ok(null);
}
