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
      return "We blocked an account with this email. You can't create another one while the block lasts.";
    case "self_exclusion":
      return `An account with this email is taking a break until ${MOMENT.format(block.until)} UTC. You can't create another one until then, and nobody can end the break early, not even us.`;
    case "limits":
      return `An account with this email was deleted while it had limits. Removing limits takes a day, so you can create another account after ${MOMENT.format(block.until)} UTC.`;
    default:
      return assertNever(block);
  }
}

/** Explains why an address cannot get an account, without naming the account concerned. */
export function toRegistrationBlockMail({
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
  const title = "No new account for this address yet";
  const content = formatMailContent({
    title,
    paragraphs: [
      "Someone, perhaps you, tried to use this address for a new or existing Holo Arena account. Nothing was changed.",
      toReason(block),
    ],
    action: { text: "What we keep", url: `${publicUrl}/privacy` },
    notes: ["Is this wrong, or do you have a question? Reply to this email: a person reads it."],
  });
  const mail = { kind: "held_address", accountId: null, to: email, subject: title } as const;
  return { ...mail, ...content, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
