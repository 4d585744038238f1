import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { MailContent } from "../../platform/mail/mail-content.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { saveVerifiedEmail } from "../accounts-store.ts";
import { lockRegistration } from "../profiles/profiles-store.ts";
import { isSessionOf } from "../sessions/sessions-store.ts";
import { applyEmailChange } from "./email-change.ts";
import { hashToken, queueLinkMail } from "./email-links.ts";
import { type AccountEmail, findAccountByEmail, loadLink, lockAccount, spendLink } from "./email-links-store.ts";

const LIFE_HOURS = 24;

/**
 * Voids the previous link. The account must be locked, or new in this transaction. Above the limit
 * of the address it does nothing: an error would reveal that others had mails sent to it.
 */
export async function queueVerificationMail(
  tx: Tx,
  { playerId, username, email }: Omit<AccountEmail, "isVerified">,
  at: Instant,
  deps: AccountPartDeps,
): Promise<void> {
  const { rateLimiters, registrationBlocks } = deps;
  // Not by player: each new account of a stranger would begin a new limit.
  if (!(await rateLimiters.verifications.tryAcquire(registrationBlocks.toKey(email), tx))) return;
  const order = { playerId, purpose: "verify", email, lifeMs: LIFE_HOURS * 60 * MINUTE_MS, at } as const;
  await queueLinkMail(tx, order, (link) => toVerificationMail(username, link), deps);
}

function toVerificationMail(username: string, link: string): MailContent {
  return {
    title: "Verify your email",
    paragraphs: [
      `Hello ${username}. You gave this address for your Holo Arena account.`,
      "You need a verified email to withdraw. Open the page, log in and press the button.",
    ],
    action: { text: "Verify my email", url: link },
    notes: [
      `The link works once, for ${LIFE_HOURS} hours. A newer one replaces it.`,
      "No Holo Arena account? Someone else typed your address. Ignore this email: the link works only for a person who is logged in to that account.",
    ],
  };
}

interface Verification {
  readonly playerId: PlayerId;
  readonly isEmailChanged: boolean;
}

/**
 * Verifies the link's address, or makes it the account's. It needs a session of the account: a
 * stranger may have the link, by a mistake, or may have registered the address of its reader.
 */
export async function verifyByLink(
  tx: Tx,
  token: string,
  sessionToken: string | null,
  deps: AccountPartDeps,
): Promise<Result<Verification, "unusable_link" | "link_login_required">> {
  const at = deps.time.now();
  const tokenHash = hashToken(token);
  const found = await loadLink(tx, tokenHash);
  if (found === null || found.purpose === "reset") return refuse("unusable_link");
  // Prevents a registration with the address in the meantime.
  if (found.purpose === "change") await lockRegistration(tx);
  const account = await lockAccount(tx, found.playerId);
  // Read again: it may have changed while waiting for the lock.
  const link = await loadLink(tx, tokenHash);
  if (account === null || link === null) return refuse("unusable_link");
  const { playerId } = account;
  const isOwn = link.email === account.email;
  if (link.isUsed)
    return isOwn && account.isVerified ? ok({ playerId, isEmailChanged: false }) : refuse("unusable_link");
  if (link.expiresAt <= at) return refuse("unusable_link");
  if (link.purpose === "verify" && !isOwn) return refuse("unusable_link");
  if (!(await isSessionOf(tx, playerId, sessionToken, at))) return refuse("link_login_required");
  // Also for "verify": the account may be older than the block of another spelling.
  const block = await deps.registrationBlocks.find(tx, link.email, playerId, deps.tableTime.now());
  if (block !== null) return refuse("unusable_link");
  if (link.purpose === "change") {
    if ((await findAccountByEmail(tx, link.email)) !== null) return refuse("unusable_link");
    await spendLink(tx, tokenHash, at);
    await applyEmailChange(tx, { account, newEmail: link.email, at }, sessionToken, deps);
    return ok({ playerId, isEmailChanged: true });
  }
  await spendLink(tx, tokenHash, at);
  await saveVerifiedEmail(tx, playerId, account.email, at);
  await deps.registrationBlocks.record(tx, playerId, deps.tableTime.now());
  return ok({ playerId, isEmailChanged: false });
}
