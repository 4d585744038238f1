import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../platform/database.ts";
import { formatLetter } from "../platform/mail/letter.ts";
import type { NewMail } from "../platform/mail/outbox.ts";
import type { EmailHolder } from "./email-links-store.ts";
import type { LinkOptions } from "./verification.ts";

/** News are sent within three days or not at all. */
const LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** Tells the owner of an address that somebody tried to register with it, which the page told nobody (ruling 24). */
export async function mailKnownAddress(
  tx: Tx,
  { username, email }: Pick<EmailHolder, "username" | "email">,
  at: Instant,
  { publicUrl, queueMail }: LinkOptions,
): Promise<void> {
  const letter = toKnownAddressLetter(username, `${publicUrl}/login`);
  await queueMail(tx, { ...letter, to: email, expiresAt: addMs(at, LIFE_MS) });
}

function toKnownAddressLetter(username: string, url: string): Pick<NewMail, "kind" | "subject" | "text" | "html"> {
  const letter = formatLetter({
    title: "You have an account already",
    paragraphs: [
      `Hello ${username}. Somebody, perhaps you, tried to create a Holo Arena account with this address.`,
      "It has one already, so none was created, and nothing about yours was changed. Log in with this address and the password of your account.",
    ],
    act: { text: "Log in", url },
    notes: ["It was not you? Then leave this mail alone: nobody got in, and your password is as it was."],
  });
  return { kind: "known_address", subject: "You have an account already", ...letter };
}
