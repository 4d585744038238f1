import type { Instant } from "@holo/kernel/instant.ts";
import type { SendMailOptions } from "nodemailer/lib/mailer";

export interface Mail {
  /** Stable, so that a mail sent twice is recognised as a duplicate. */
  readonly id: string;
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly writtenAt: Instant;
}

/** `refused`: the receiving server rejected it permanently; a retry changes nothing. */
type Delivery = "delivered" | "refused";

export interface Mailer {
  /**
   * Rejects if a retry may succeed; the mail may have been sent nevertheless. The signal cancels
   * it.
   */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>;
  close(): void;
}

const SENDER_NAME = "Holo Arena";

/**
 * Addresses are passed as objects, so that no text is parsed as an address list. The library may
 * not fetch files or URLs.
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
    // Suppresses out-of-office replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
