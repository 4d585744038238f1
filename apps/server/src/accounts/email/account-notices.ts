import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { formatMailContent, type MailContent } from "../../platform/mail/mail-content.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import type { AccountEmail } from "./email-links-store.ts";

const NOTICE_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** "22 November 2026 at 14:05": the reader's time zone is unknown. */
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

type AccountNotice =
  | { readonly type: "known_address" }
  | { readonly type: "known_new_address" }
  | { readonly type: "password_changed" }
  | { readonly type: "email_change_asked"; readonly newEmail: string }
  | { readonly type: "email_changed"; readonly newEmail: string }
  | { readonly type: "new_device"; readonly device: string; readonly at: Instant }
  | { readonly type: "second_factor_on" }
  | { readonly type: "second_factor_off" }
  | { readonly type: "recovery_code_used"; readonly left: number };

/**
 * Queues a notice to the account's owner. It contains no token. Above the limit of an address that
 * was never verified it does nothing.
 */
export async function queueAccountNotice(
  tx: Tx,
  account: AccountEmail,
  notice: AccountNotice,
  at: Instant,
  deps: Pick<AccountPartDeps, "publicUrl" | "queueMail" | "rateLimiters" | "registrationBlocks">,
): Promise<void> {
  const key = deps.registrationBlocks.toKey(account.email);
  // It may be a stranger's, whom logins and new passwords of an account would flood.
  if (!account.isVerified && !(await deps.rateLimiters.unverifiedNotices.tryAcquire(key, tx))) return;
  await queueUnlimitedNotice(tx, account, notice, at, deps);
}

/** For notices that staff cause. */
export async function queueUnlimitedNotice(
  tx: Tx,
  { playerId, username, email }: AccountEmail,
  notice: AccountNotice,
  at: Instant,
  { publicUrl, queueMail }: Pick<AccountPartDeps, "publicUrl" | "queueMail">,
): Promise<void> {
  const content = toContent(username, notice, publicUrl);
  await queueMail(tx, {
    kind: notice.type,
    accountId: playerId,
    subject: content.title,
    ...formatMailContent(content),
    to: email,
    expiresAt: addMs(at, NOTICE_LIFE_MS),
  });
}

function toContent(username: string, notice: AccountNotice, publicUrl: string): MailContent {
  const forgotten = `${publicUrl}/forgot-password`;
  const logIn = { text: "Log in", url: `${publicUrl}/login` };
  const newPassword = { text: "Choose a new password", url: forgotten };
  switch (notice.type) {
    case "known_address":
      return {
        title: "You already have an account",
        paragraphs: [
          `Hello ${username}. Someone, perhaps you, tried to create a Holo Arena account with this address.`,
          "You already have one, so nothing was created or changed. Log in with this address and your password.",
          `Forgot your password? Choose a new one at ${forgotten}`,
        ],
        action: logIn,
        notes: ["Not you? Ignore this email: nobody got in, and your password hasn't changed."],
      };
    case "known_new_address":
      return {
        title: "This address already has an account",
        paragraphs: [
          `Hello ${username}. Someone, perhaps you, tried to use this address for another Holo Arena account.`,
          "It belongs to your account, so nothing was changed.",
        ],
        action: logIn,
        notes: ["Not you? Ignore this email: nobody got in, and your password hasn't changed."],
      };
    case "password_changed":
      return {
        title: "Your password was changed",
        paragraphs: [
          `Hello ${username}. Your Holo Arena password was changed, and all your other devices were logged out.`,
          "If this was you, you don't need to do anything.",
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now: that logs out every device."],
      };
    case "email_change_asked":
      return {
        title: "A new email for your account",
        paragraphs: [
          `Hello ${username}. Someone who is logged in and knows your password asked to change the email of your Holo Arena account to ${notice.newEmail}.`,
          "Nothing changes until you open the link we sent to that address. If this was you, you don't need to do anything here.",
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now: that voids the link and logs out every device."],
      };
    case "email_changed":
      return {
        title: "Your email was changed",
        paragraphs: [
          `Hello ${username}. The email of your Holo Arena account is now ${notice.newEmail}. You can't log in with this address any more.`,
          "All other devices were logged out. If this was you, you don't need to do anything.",
        ],
        action: { text: "Write to us", url: `${publicUrl}/contact` },
        notes: ["Not you? Tell us now, from this address."],
      };
    case "new_device":
      return {
        title: "New login to your account",
        paragraphs: [
          `Hello ${username}. Someone logged in to your Holo Arena account from a device we haven't seen before: ${notice.device}, on ${MOMENT.format(notice.at)} UTC.`,
          "If this was you, you don't need to do anything.",
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now: that logs out every device."],
      };
    case "second_factor_on":
      return {
        title: "Login codes are on",
        paragraphs: [
          `Hello ${username}. Your Holo Arena account now asks for a code from your authenticator app when you log in and before you withdraw.`,
          "Keep your recovery codes somewhere you can find them without your phone.",
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now and write to us."],
      };
    case "second_factor_off":
      return {
        title: "Login codes are off",
        paragraphs: [
          `Hello ${username}. Your Holo Arena account no longer asks for a code. You log in with your password only.`,
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now: that logs out every device."],
      };
    case "recovery_code_used":
      return {
        title: "A recovery code was used",
        paragraphs: [
          `Hello ${username}. A recovery code was used instead of your authenticator app. You have ${notice.left} left.`,
          "To get new ones, switch login codes off and on again on your profile.",
        ],
        action: newPassword,
        notes: ["Not you? Choose a new password now: that logs out every device."],
      };
    default:
      return assertNever(notice);
  }
}
