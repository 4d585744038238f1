import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { parseMail, type ReadMail } from "./test-mail.ts";

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly mail: ReadMail;
  readonly user: string | undefined;
  readonly isSecure: boolean;
}

export interface TestSmtp {
  readonly port: number;
  readonly received: readonly Received[];
  readonly sessions: readonly number[];
  close(): Promise<void>;
}

export async function openTestSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const received: Received[] = [];
  const sessions: number[] = [];
  const server = new SMTPServer({
    // The library's certificate is public; a test that needs TLS brings its own.
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      sessions.push(sessions.length);
      done();
    },
    onAuth: ({ username, password }, _session, done) =>
      password === "right" ? done(null, { user: username }) : done(new Error("wrong login")),
    onData: (stream, { envelope, user, secure }, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = parseMail(Buffer.concat(chunks).toString("utf8"));
        received.push({ from, to, mail, user: user as string | undefined, isSecure: secure });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    sessions,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
