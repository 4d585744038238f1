import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** Mails a player that they were banned or unbanned, why, and what they can still do. */
export function writeBanMail(order: {
  readonly email: string;
  readonly username: string;
  readonly isBlocking: boolean;
  readonly reason: string;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { email, username, isBlocking, reason, publicUrl, at } = order;
  const title = isBlocking ? "Your account is blocked" : "Your account is open again";
  const letter = formatMailContent({
    title,
    paragraphs: isBlocking
      ? [
          `Hello ${username}. We have blocked your Holo Arena account. The reason: ${reason}`,
          "A game that you are playing goes on to its end. You can start no other, write in no chat and deposit nothing.",
          "Your coins are yours: you can withdraw them at any time.",
        ]
      : [
          `Hello ${username}. Your Holo Arena account is no longer blocked: you can play, chat and deposit again.`,
          `The reason: ${reason}`,
        ],
    action: isBlocking
      ? { text: "To your wallet", url: `${publicUrl}/wallet` }
      : { text: "To the matches", url: `${publicUrl}/matches` },
    notes: ["Do you think this is wrong, or have you a question? Then answer this mail: a person reads it."],
  });
  return { kind: "account_block", to: email, subject: title, ...letter, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
