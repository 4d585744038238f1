import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { formatMailContent, type MailContent } from "../../platform/mail/mail-content.ts";
import type { AccountDeps } from "../account-deps.ts";

const NOTICE_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** "22 November 2026 at 14:05": the reader's time zone is unknown. */
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** Notices about changes to an account, or attempts. */
export type AccountNotice =
  | { readonly type: "known_address" }
  | { readonly type: "known_new_address" }
  | { readonly type: "password_changed" }
  | { readonly type: "email_change_asked"; readonly newEmail: string }
  | { readonly type: "email_changed"; readonly newEmail: string }
  /** Browser and machine in words. */
  | { readonly type: "new_device"; readonly device: string; readonly at: Instant }
  | { readonly type: "second_factor_on" }
  | { readonly type: "second_factor_off" }
  | { readonly type: "recovery_code_used"; readonly left: number };

interface Recipient {
  readonly username: string;
  readonly email: string;
}

/** Queues a notice to the account's owner. It contains no token. */
export async function queueAccountNotice(
  tx: Tx,
  { username, email }: Recipient,
  notice: AccountNotice,
  at: Instant,
  { publicUrl, queueMail }: Pick<AccountDeps, "publicUrl" | "queueMail">,
): Promise<void> {
  const content = toContent(username, notice, publicUrl);
  await queueMail(tx, {
    kind: notice.type,
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
        title: "You have an account already",
        paragraphs: [
          `Hello ${username}. Somebody, perhaps you, tried to create a Holo Arena account with this address.`,
          "It has one already, so none was created, and nothing about yours was changed. Log in with this address and the password of your account.",
          `Forgotten the password? Choose a new one at ${forgotten}`,
        ],
        action: logIn,
        notes: ["It was not you? Then leave this mail alone: nobody got in, and your password is as it was."],
      };
    case "known_new_address":
      return {
        title: "This address has an account already",
        paragraphs: [
          `Hello ${username}. Somebody, perhaps you, tried to give this address to another Holo Arena account.`,
          "It belongs to yours, so nothing was changed, neither there nor here.",
        ],
        action: logIn,
        notes: ["It was not you? Then leave this mail alone: nobody got in, and your password is as it was."],
      };
    case "password_changed":
      return {
        title: "Your password was changed",
        paragraphs: [
          `Hello ${username}. The password of your Holo Arena account was changed, and all other devices were logged out.`,
          "If it was you, there is nothing to do.",
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once: that logs out every device."],
      };
    case "email_change_asked":
      return {
        title: "A new email for your account",
        paragraphs: [
          `Hello ${username}. Somebody who is logged in and knows your password asked to change the email of your Holo Arena account to ${notice.newEmail}.`,
          "Nothing has changed yet: it does once the link that we mailed there is opened. If it was you, there is nothing to do here.",
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once: that voids the link and logs out every device."],
      };
    case "email_changed":
      return {
        title: "Your email was changed",
        paragraphs: [
          `Hello ${username}. The email of your Holo Arena account is now ${notice.newEmail}. This address logs you in no more.`,
          "All other devices were logged out. If it was you, there is nothing to do.",
        ],
        action: { text: "Write to us", url: `${publicUrl}/contact` },
        notes: ["It was not you? Tell us at once, from this address."],
      };
    case "new_device":
      return {
        title: "New login to your account",
        paragraphs: [
          `Hello ${username}. Your Holo Arena account was logged in to from a device that we have not seen before: ${notice.device}, on ${MOMENT.format(notice.at)} UTC.`,
          "If it was you, there is nothing to do.",
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once: that logs out every device."],
      };
    case "second_factor_on":
      return {
        title: "Login codes are on",
        paragraphs: [
          `Hello ${username}. From now on your Holo Arena account asks for a code from your authenticator app at login and before withdrawals.`,
          "Keep your recovery codes where you find them without your phone.",
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once and write to us."],
      };
    case "second_factor_off":
      return {
        title: "Login codes are off",
        paragraphs: [
          `Hello ${username}. Your Holo Arena account asks for no code any more. Your password alone logs you in.`,
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once: that logs out every device."],
      };
    case "recovery_code_used":
      return {
        title: "A recovery code was used",
        paragraphs: [
          `Hello ${username}. A recovery code was used instead of your authenticator app. ${notice.left} are left.`,
          "For new ones, switch login codes off and on again on your profile.",
        ],
        action: newPassword,
        notes: ["It was not you? Choose a new password at once: that logs out every device."],
      };
    default:
      return assertNever(notice);
  }
}
