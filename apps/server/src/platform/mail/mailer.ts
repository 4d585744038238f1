import type { Instant } from "@holo/kernel/instant.ts";
import type { SendMailOptions } from "nodemailer/lib/mailer";

/** One mail, complete. */
export interface Mail {
  /** Names it for ever: sent twice, it is recognised as the same. */
  readonly id: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly writtenAt: Instant;
}

/** `refused`: whoever takes mail for this address never will, or not this one; trying again changes nothing. */
export type Delivery = "delivered" | "refused";

export interface Mailer {
  /** Rejects where it may work another time; the mail may then have gone out nevertheless. Stops early when the signal aborts. */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>;
  close(): void;
}

const SENDER_NAME = "Holo Arena";

/**
 * The mail as the library writes it. Addresses go in as objects, so that no text of ours is read as a list of addresses, and nothing in it
 * is fetched from a file or a URL.
 */
export function toMessage(mail: Mail, sender: string): SendMailOptions {
  const domain = sender.slice(sender.lastIndexOf("@") + 1);
  return {
    from: { name: SENDER_NAME, address: sender },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(mail.writtenAt),
    messageId: `<${mail.id}@${domain}>`,
    // No holiday notice comes back (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
