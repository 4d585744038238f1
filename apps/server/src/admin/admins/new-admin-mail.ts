import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** Mails staff that an address was listed (ruling 25), so that no admin is added unnoticed. */
export function writeNewAdminMail(order: {
  readonly to: string;
  readonly added: string;
  /** The account that has verified this address; null if there is none. */
  readonly username: string | null;
  readonly addedBy: string;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { to, added, username, addedBy, publicUrl, at } = order;
  const letter = formatMailContent({
    title: "An admin was added",
    paragraphs: [
      `${addedBy} added ${added} to the admins of Holo Arena.`,
      username === null
        ? "Its owner is an admin as soon as they have an account with this address and have verified it."
        : `The account ${username} has this address and is an admin's from now on.`,
    ],
    action: { text: "See all admins", url: `${publicUrl}/admin/revenue` },
    notes: [
      "This is mailed to the owner and to every admin. If it should not be, remove the address there at once; where it is an admin's already, the CEO can.",
    ],
  });
  return { kind: "new_admin", to, subject: "An admin was added", ...letter, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
