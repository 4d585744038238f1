import { hash, randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";
import { type LinkPurpose, replaceLink } from "./email-links-store.ts";

/** What a mail of an account needs to be written and sent. */
export interface LinkOptions {
  /** The arena's own origin, from the configuration: what a request says about its host is never in a link. */
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
}

export interface LinkOrder {
  readonly playerId: PlayerId;
  readonly purpose: LinkPurpose;
  /** To which address it is mailed. */
  readonly email: string;
  readonly lifeMs: number;
  readonly at: Instant;
}

const TOKEN_BYTES = 32;

/** The page to which a link for each purpose leads. */
const PAGES: Readonly<Record<LinkPurpose, string>> = {
  verify: "verify-email",
  change: "verify-email",
  reset: "reset-password",
};

/** Under which a token is kept: whoever reads the database can follow no link. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Makes a link that can be used once; an earlier one for the same purpose is void from now on. The account has to be locked, or new in
 * this transaction.
 */
export async function makeLink(
  tx: Tx,
  { playerId, purpose, email, lifeMs, at }: LinkOrder,
  publicUrl: string,
): Promise<{ readonly link: string; readonly expiresAt: Instant }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const expiresAt = addMs(at, lifeMs);
  await replaceLink(tx, { tokenHash: hashToken(token), playerId, purpose, email, createdAt: at, expiresAt });
  return { link: `${publicUrl}/${PAGES[purpose]}?token=${token}`, expiresAt };
}
