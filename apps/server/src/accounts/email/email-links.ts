import { hash, randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { AccountDeps } from "../account-deps.ts";
import { type LinkPurpose, replaceLink } from "./email-links-store.ts";

export interface LinkOrder {
  readonly playerId: PlayerId;
  readonly purpose: LinkPurpose;
  /** The recipient. */
  readonly email: string;
  readonly lifeMs: number;
  readonly at: Instant;
}

const TOKEN_BYTES = 32;

const PAGES: Readonly<Record<LinkPurpose, string>> = {
  verify: "verify-email",
  change: "verify-email",
  reset: "reset-password",
};

/** Only hashes are stored, so that the database reveals no usable link. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/**
 * Creates a single-use link and voids the previous one for the same purpose. The account must be
 * locked, or new in this transaction.
 */
export async function makeLink(
  tx: Tx,
  { playerId, purpose, email, lifeMs, at }: LinkOrder,
  { publicUrl }: Pick<AccountDeps, "publicUrl">,
): Promise<{ readonly link: string; readonly expiresAt: Instant }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const expiresAt = addMs(at, lifeMs);
  await replaceLink(tx, { tokenHash: hashToken(token), playerId, purpose, email, createdAt: at, expiresAt });
  return { link: `${publicUrl}/${PAGES[purpose]}?token=${token}`, expiresAt };
}
