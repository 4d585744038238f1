import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatLetter } from "../platform/mail/letter.ts";
import type { NewMail } from "../platform/mail/outbox.ts";

const NEWS_MS = 3 * 24 * 60 * MINUTE_MS;

/** Tells one of the house that an address was listed (ruling 25): whoever gave themselves a friend here is seen by all. */
export function writeNewAdminMail(order: {
  readonly to: string;
  readonly added: string;
  /** Whose account has the address, verified; null: nobody's yet. */
  readonly username: string | null;
  readonly addedBy: string;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { to, added, username, addedBy, publicUrl, at } = order;
  const letter = formatLetter({
    title: "An admin was added",
    paragraphs: [
      `${addedBy} added ${added} to the admins of Holo Arena.`,
      username === null
        ? "Its owner is an admin as soon as they have an account with this address and have verified it."
        : `The account ${username} has this address and is an admin's from now on.`,
    ],
    act: { text: "See all admins", url: `${publicUrl}/admin/revenue` },
    notes: [
      "This is mailed to the owner and to every admin. If it should not be, remove the address there at once; where it is an admin's already, the CEO can.",
    ],
  });
  return { kind: "new_admin", to, subject: "An admin was added", ...letter, expiresAt: addMs(at, NEWS_MS) };
}
