import { hash } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { formatMailContent, type MailContent } from "../../platform/mail/mail-content.ts";
import { randomBytes } from "../../platform/runtime.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { type LinkPurpose, replaceLink } from "./email-links-store.ts";

interface LinkOrder {
  readonly playerId: PlayerId;
  readonly purpose: LinkPurpose;
  readonly email: string;
  /** Set by the caller: verification.ts, password-reset.ts, email-change.ts. */
  readonly lifeMs: number;
  readonly at: Instant;
}

const TOKEN_BYTES = 32;

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  verify: "verify-email",
  change: "verify-email",
  reset: "reset-password",
};

const MAIL_KINDS: Readonly<Record<LinkPurpose, string>> = {
  verify: "verify_email",
  change: "new_email",
  reset: "reset_password",
};

/** Only hashes are stored, so that the database reveals no usable link. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Queues a mail with a single-use link and voids the previous one for the purpose. The account must
 * be locked, or new in this transaction.
 */
export async function queueLinkMail(
  tx: Tx,
  { playerId, purpose, email, lifeMs, at }: LinkOrder,
  toContent: (link: string) => MailContent,
  { publicUrl, queueMail }: Pick<AccountPartDeps, "publicUrl" | "queueMail">,
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const expiresAt = addMs(at, lifeMs);
  await replaceLink(tx, { tokenHash: hashToken(token), playerId, purpose, email, createdAt: at, expiresAt });
  const content = toContent(`${publicUrl}/${PAGES[purpose]}?token=${token}`);
  const mail = { kind: MAIL_KINDS[purpose], subject: content.title, ...formatMailContent(content) };
  await queueMail(tx, { ...mail, accountId: playerId, to: email, expiresAt });
}
