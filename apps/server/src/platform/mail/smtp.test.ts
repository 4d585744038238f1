import { toInstant } from "@holo/kernel/instant.ts";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { makeCertificate } from "../testing/test-certificate.ts";
import { openTestSmtp, type TestSmtp } from "../testing/test-smtp.ts";
import type { Mail, Mailer } from "./mailer.ts";
import { openSmtpMailer } from "./smtp.ts";

const MAIL: Mail = {
  id: "0f8d4a4e-2a6f-4a0e-9b62-6f3a5f8c1d11",
  to: "ada@example.com",
  subject: "Your deposit of ₦5,000",
  text: "Hello ada.\n\nhttps://arena.example/verify-email?token=0123456789abcdefghijklmnopqrstuvwxyzABCDEFG\n",
  html: "<p>Hello ada, ₦5,000.</p>",
  writtenAt: toInstant(Date.UTC(2026, 0, 31, 12)),
};
const SENDER = "help@arena.example";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function serve(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const smtp = await openTestSmtp(options);
  open.push(() => smtp.close());
  return smtp;
}

function mailerTo(url: string, more: Partial<Parameters<typeof openSmtpMailer>[0]> = {}): Mailer {
  const mailer = openSmtpMailer({ url, sender: SENDER, requiresTls: false, ...more });
  open.push(() => mailer.close());
  return mailer;
}

const send = (mailer: Mailer, mail: Mail = MAIL) => mailer.send(mail, AbortSignal.timeout(55_000));

test("delivers a mail unchanged from the configured sender to one address", async () => {
  const { port, received } = await serve();
  expect(await send(mailerTo(`smtp://127.0.0.1:${port}`))).toBe("delivered");
  expect(received).toHaveLength(1);
  const { from, to, mail } = received[0]!;
  expect([from, to]).toEqual([SENDER, ["ada@example.com"]]);
  expect(mail.text).toBe(MAIL.text);
  expect(mail.html.trim()).toBe(MAIL.html);
  expect(mail.headers.get("from")).toBe(`Holo Arena <${SENDER}>`);
  expect(mail.headers.get("to")).toBe("ada@example.com");
  expect(mail.headers.get("subject")).toMatch(/^=\?UTF-8\?/i);
  expect(mail.headers.get("message-id")).toBe(`<${MAIL.id}@arena.example>`);
  expect(mail.headers.get("date")).toBe("Sat, 31 Jan 2026 12:00:00 +0000");
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
});

test("logs in with the credentials of the URL and reuses its connection", async () => {
  const { port, received, sessions } = await serve({ authOptional: false });
  const mailer = mailerTo(`smtp://holo:right@127.0.0.1:${port}`);
  await send(mailer);
  await send(mailer);
  expect(received.map(({ user }) => user)).toEqual(["holo", "holo"]);
  expect(sessions).toHaveLength(1);
});

test("treats a refused recipient as permanent, a refused login as temporary", async () => {
  const unknown = await serve({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error("no such user"), { responseCode: 550 })),
  });
  expect(await send(mailerTo(`smtp://127.0.0.1:${unknown.port}`))).toBe("refused");
  const busy = await serve({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error("come back later"), { responseCode: 451 })),
  });
  await expect(send(mailerTo(`smtp://127.0.0.1:${busy.port}`))).rejects.toMatchObject({ responseCode: 451 });
  const { port } = await serve({ authOptional: false });
  await expect(send(mailerTo(`smtp://holo:wrong@127.0.0.1:${port}`))).rejects.toMatchObject({ code: "EAUTH" });
  await expect(send(mailerTo(`smtp://127.0.0.1:${port}`))).rejects.toMatchObject({ responseCode: 530 });
});

test("connects over TLS only to a trusted server", async () => {
  const { key, certificate } = makeCertificate("localhost");
  const { port, received } = await serve({ secure: true, key, cert: certificate });
  await expect(send(mailerTo(`smtps://localhost:${port}`))).rejects.toThrow();
  expect(received).toEqual([]);
  const trusting = mailerTo(`smtps://localhost:${port}`, { tls: { ca: certificate } });
  expect(await send(trusting)).toBe("delivered");
  expect(received.map(({ isSecure }) => isSecure)).toEqual([true]);
});

test("sends neither login nor mail to a remote server without TLS if TLS is required", async () => {
  const seen: string[] = [];
  const { port, received } = await serve({
    onAuth: ({ username }, _session, done) => {
      seen.push(username ?? "");
      done(null, { user: username });
    },
  });
  // The local machine under another notation.
  const mailer = mailerTo(`smtp://holo:right@[::ffff:127.0.0.1]:${port}`, { requiresTls: true });
  await expect(send(mailer)).rejects.toMatchObject({ command: "STARTTLS" });
  expect([seen, received]).toEqual([[], []]);
  expect(await send(mailerTo(`smtp://127.0.0.1:${port}`, { requiresTls: true }))).toBe("delivered");
});

test("rejects if the mail server is unreachable or stops responding", async () => {
  const { port } = await serve();
  await open.pop()!();
  await expect(send(mailerTo(`smtp://127.0.0.1:${port}`))).rejects.toThrow();
  const silent = await serve({ onConnect: () => undefined });
  const mailer = mailerTo(`smtp://127.0.0.1:${silent.port}`);
  await expect(mailer.send(MAIL, AbortSignal.timeout(100))).rejects.toThrow();
});

test("prevents header injection by line breaks in subject and address", async () => {
  const { port, received } = await serve();
  const mailer = mailerTo(`smtp://127.0.0.1:${port}`);
  await send(mailer, { ...MAIL, subject: "Hello\r\nBcc: eve@example.com\r\n\r\nBody" });
  const { to, mail } = received[0]!;
  expect(to).toEqual(["ada@example.com"]);
  expect(mail.headers.has("bcc")).toBe(false);
  expect(mail.text).toBe(MAIL.text);
  await send(mailer, { ...MAIL, to: "ada@example.com\r\nBcc: eve@example.com" }).catch(() => "refused");
  await send(mailer, { ...MAIL, to: "ada@example.com, eve@example.com" }).catch(() => "refused");
  for (const one of received) {
    expect(one.mail.headers.has("bcc")).toBe(false);
    expect(one.to).not.toContain("eve@example.com");
  }
});
