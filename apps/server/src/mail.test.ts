import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { assert } from "@holo/kernel/assert.ts";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "./platform/database/database.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { parseMail, type ReadMail, readMails } from "./platform/testing/test-mail.ts";
import { makeServerProcess, type ServerProcess } from "./testing/server-process.ts";

const PAGE = "https://play.arena.example";

let folder: string;
let database: Database;
let server: ServerProcess;
const listening: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-mail-"));
  database = await createTestDatabase();
  server = await makeServerProcess({
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    PUBLIC_URL: PAGE,
  });
});
afterEach(async () => {
  await server.end("SIGKILL");
  for (const close of listening.splice(0)) await close();
});
afterAll(async () => {
  await database.close();
  // Child processes of the server end after it and may still write.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

const toSmtp = (port: number) => ({ SMTP_URL: `smtp://127.0.0.1:${port}` });

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** With node:http, since fetch overrides the Host header. */
async function post(route: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const asked = request({
    ...{ host: "127.0.0.1", port: server.port, path: route, method: "POST" },
    headers: { origin: PAGE, "content-type": "application/json", ...headers },
  });
  asked.end(JSON.stringify(body));
  const [answer]: IncomingMessage[] = await once(asked, "response");
  assert(answer !== undefined, "there was no answer");
  return { status: answer.statusCode ?? 0, body: await json(answer) };
}

const register = (username: string, headers?: Readonly<Record<string, string>>) =>
  post("/api/register", { username, email: `${username}@example.com`, password: "correct horse" }, headers);

async function serveMail(): Promise<{ readonly port: number; readonly received: readonly ReadMail[] }> {
  const received: ReadMail[] = [];
  const mailServer = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        received.push(parseMail(Buffer.concat(chunks).toString("utf8")));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
  listening.push(() => new Promise<void>((resolve) => mailServer.close(resolve)));
  return { port: (mailServer.server.address() as AddressInfo).port, received };
}

async function serveSilence(): Promise<number> {
  const silent: Server = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  listening.push(async () => silent.close());
  return (silent.address() as AddressInfo).port;
}

function readToken({ text }: ReadMail): string {
  return new RegExp(`^${PAGE}/verify-email\\?token=([A-Za-z0-9_-]{43})$`, "m").exec(text)?.[1] ?? "";
}

test("mails a link to the configured origin, whatever host the request names", async () => {
  const mailServer = await serveMail();
  await server.start(toSmtp(mailServer.port));
  const foreign = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
  expect((await register("hosted", foreign)).status).toBe(200);
  await expect.poll(() => mailServer.received.length).toBe(1);
  const mail = mailServer.received[0]!;
  expect(mail.headers.get("to")).toBe("hosted@example.com");
  expect(`${mail.text}${mail.html}`).not.toContain("evil.example");
  expect(mail.text).toContain("Hello hosted.");
  const token = readToken(mail);
  expect(await post("/api/verify-email", { token })).toMatchObject({ status: 403 });
  const forged = await post("/api/verify-email", { token: token.toUpperCase() });
  expect(forged).toMatchObject({ status: 410, body: { code: "unusable_link" } });
});

// [FAULT-09 §-] Without the mail server players register, and every mail is sent later, also after the server was
// killed.
test("registers without waiting for the mail server, and loses no mail when killed [FAULT-09]", async () => {
  await server.start(toSmtp(await serveSilence()));
  const names = ["waits1", "waits2", "waits3", "waits4", "waits5", "waits6"];
  // If a registration waited for the mail server, this test would time out.
  for (const name of names) expect((await register(name)).status).toBe(200);
  await server.end("SIGKILL");
  // Two minutes later: what was being delivered at the kill is claimed no longer.
  await database.pool.query("update outbox set claimed_until = null, next_attempt_at = created_at");
  await server.start();
  const listMissing = async () => {
    const sent = (await readMails(path.join(folder, "outbox"))).map(({ headers }) => headers.get("to"));
    return names.filter((name) => !sent.includes(`${name}@example.com`));
  };
  await expect.poll(listMissing).toEqual([]);
});
