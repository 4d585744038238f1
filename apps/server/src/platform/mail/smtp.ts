import type { ConnectionOptions } from "node:tls";
import { createTransport } from "nodemailer";
import type { NodemailerError } from "nodemailer/lib/errors";
import { type Mailer, toMessage } from "./mailer.ts";

export interface SmtpOptions {
  /** `smtps://user:password@host` speaks TLS from the first byte, `smtp://` after STARTTLS. */
  readonly url: string;
  /** The address that mails come from and answers go to. */
  readonly sender: string;
  /** Whether nothing is said to another machine but over TLS. */
  readonly requiresTls: boolean;
  /** Whom to trust, where that is not the system's list: a test's own certificate. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
}

/** A mailer that answers slower than this does not answer. */
const TIMEOUT_MS = 15_000;
const CONNECTIONS_MAX = 4;
const AUTHENTICATION_REQUIRED = 530;

/** Sends over a few connections that are kept open. Connects with the first mail, so that a start never waits for the mail server. */
export function openSmtpMailer({ url, sender, requiresTls, tls = {} }: SmtpOptions): Mailer {
  const isLocal = isLoopback(new URL(url).hostname);
  const transport = createTransport({
    pool: true,
    url,
    requireTLS: requiresTls && !isLocal,
    // A relay on the same machine offers a certificate of its own making, if any.
    ignoreTLS: isLocal,
    tls: { ...tls, minVersion: "TLSv1.2" },
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // The outbox tries again, and in its own time.
    maxRequeues: 0,
    logger: false,
  });
  return {
    async send(mail, signal) {
      try {
        await transport.sendMail({ ...toMessage(mail, sender), signal });
        return "delivered";
      } catch (error) {
        if (isRefusal(error)) return "refused";
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

/** What is said on this very machine passes no wire. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * A refusal for good of the recipient or of the message itself. One of our login or our address is the operator's to mend, and the mail
 * waits for that.
 */
function isRefusal(error: unknown): boolean {
  const { command, permanent, responseCode } = error as Partial<NodemailerError>;
  return (
    permanent === true && (command === "RCPT TO" || command === "DATA") && responseCode !== AUTHENTICATION_REQUIRED
  );
}
