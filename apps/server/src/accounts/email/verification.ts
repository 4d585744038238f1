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
 * Queues a single-use verification link, valid for a day, and voids the previous one. The account
 * must be locked, or new in this transaction.
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

export interface Verification {
  readonly playerId: PlayerId;
  /** Whether the account got another address, which ended sessions. */
  readonly isEmailChanged: boolean;
}

/**
 * Verifies the link's address, and makes it the account's if requested. A used link gets the same
 * answer while the address is still the account's. All defects get `unusable_link`: unknown,
 * replaced, expired, or an address that is outdated, taken or blocked. An address with a staff role
 * also requires a session of the account (`link_login_required`): otherwise a stranger who entered
 * it would gain the role by its owner's click.
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
  // Prevents a registration with the address in the meantime.
  if (found.purpose === "change") await lockRegistration(tx);
  const holder = await lockAccount(tx, found.playerId);
  // Read again: it may have changed while waiting for the lock.
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
