import type { ConnectionOptions } from "node:tls";
import { createTransport } from "nodemailer";
import type { NodemailerError } from "nodemailer/lib/errors";
import { type Mailer, toMessage } from "./mailer.ts";

interface SmtpOptions {
  /** `smtps://user:password@host` uses TLS from the first byte, `smtp://` STARTTLS. */
  readonly url: string;
  readonly sender: string;
  /** Refuses connections to other machines without TLS. */
  readonly requiresTls: boolean;
  /** Certificate authorities other than the system's, for tests. */
  readonly tls?: Pick<ConnectionOptions, "ca">;
}

/** A slower server counts as unavailable. */
const TIMEOUT_MS = 15_000;
const CONNECTIONS_MAX = 4;
const AUTHENTICATION_REQUIRED = 530;

function openTransport({ url, requiresTls, tls = {} }: Omit<SmtpOptions, "sender">) {
  const isLocal = isLoopback(new URL(url).hostname);
  return createTransport({
    pool: true,
    url,
    requireTLS: requiresTls && !isLocal,
    // A local relay has a self-signed certificate at best.
    ignoreTLS: isLocal,
    tls: { ...tls, minVersion: "TLSv1.2" },
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    dnsTimeout: TIMEOUT_MS,
    // The outbox schedules retries.
    maxRequeues: 0,
    logger: false,
  });
}

/** Connects and logs in, and sends nothing. Throws if that is impossible. */
export async function verifySmtp(options: Omit<SmtpOptions, "sender">): Promise<void> {
  const transport = openTransport(options);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/**
 * Sends over a small pool of connections. Connects with the first mail, so that the start never
 * waits for the mail server.
 */
export function openSmtpMailer({ sender, ...options }: SmtpOptions): Mailer {
  const transport = openTransport(options);
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

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Whether the server permanently refused the recipient or the message. Login and sender problems
 * are for the operator to fix; the mail waits.
 */
function isRefusal(error: unknown): boolean {
  const { command, permanent, responseCode } = error as Partial<NodemailerError>;
  return (
    permanent === true && (command === "RCPT TO" || command === "DATA") && responseCode !== AUTHENTICATION_REQUIRED
  );
}
