import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail } from "../../platform/mail/outbox.ts";

export interface VerificationFacts {
  readonly username: string;
  /** The page's URL with the token. */
  readonly link: string;
  readonly lifeHours: number;
}

export function toVerificationMail(facts: VerificationFacts): Pick<NewMail, "kind" | "subject" | "text" | "html"> {
  const letter = formatMailContent({
    title: "Verify your email",
    paragraphs: [
      `Hello ${facts.username}. This address was given for your Holo Arena account.`,
      "Taking money out needs a verified email. Open the page and press the button there.",
    ],
    action: { text: "Verify my email", url: facts.link },
    notes: [
      `The link works once, for ${facts.lifeHours} hours. A newer one replaces it.`,
      "You have no account at Holo Arena? Then leave this mail alone: nothing happens without the link.",
    ],
  });
  return { kind: "verify_email", subject: "Verify your email", ...letter };
}
