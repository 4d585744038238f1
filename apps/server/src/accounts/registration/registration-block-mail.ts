import { assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";
import type { RegistrationBlock } from "./registration-blocks.ts";

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

/** "22 November 2026 at 14:05 UTC": the reader's time zone is unknown. */
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

function toReason(block: RegistrationBlock): string {
  switch (block.type) {
    case "ban":
      return "We blocked an account of this mailbox, and it gets no other while we do.";
    case "self_exclusion":
      return `An account of this mailbox takes a break from play until ${MOMENT.format(block.until)} UTC. Until then it gets no other, and nobody can end the break sooner, not even we.`;
    case "limits":
      return `An account of this mailbox was given up while it had limits. Those are loosened a day later and not sooner: after ${MOMENT.format(block.until)} UTC you can create another.`;
    default:
      return assertNever(block);
  }
}

/** Explains why an address cannot get an account, without naming the account concerned. */
export function writeRegistrationBlockMail({
  email,
  block,
  publicUrl,
  at,
}: {
  readonly email: string;
  readonly block: RegistrationBlock;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const title = "This address gets no account now";
  const content = formatMailContent({
    title,
    paragraphs: [
      "Someone, perhaps you, tried to create a Holo Arena account with this address, or to give it to one. Nothing was changed.",
      toReason(block),
    ],
    action: { text: "How this is kept", url: `${publicUrl}/privacy` },
    notes: ["Do you think this is wrong, or have you a question? Then answer this mail: a person reads it."],
  });
  return { kind: "held_address", to: email, subject: title, ...content, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
