import { randomUUID } from "node:crypto";
import { request } from "node:http";
import type { OwnSessionView } from "@holo/protocol/accounts/accounts.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { openTestSmtp, type TestSmtp } from "../../../platform/testing/test-smtp.ts";
import { openTestServer, PAGE, type TestServer } from "../../testing/test-server.ts";

const [OLD, NEW] = ["correct horse", "battery staple"];

let database: Database;
let smtp: TestSmtp;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  smtp = await openTestSmtp();
  server = await openTestServer(database, { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
  await database.close();
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string | null;
}

/** A client that sends a forged Host header, which `fetch` does not allow. */
function send(method: string, route: string, body: object | null, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const given = { origin: PAGE, ...(body !== null && { "content-type": "application/json" }), ...headers };
    const asking = request({ port: server.port, path: `/api/${route}`, method, headers: given }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const cookie = response.headers["set-cookie"]?.[0]?.split(";")[0] ?? null;
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8"), cookie });
      });
    });
    asking.on("error", reject);
    asking.end(body === null ? undefined : JSON.stringify(body));
  });
}
const post = (route: string, body: object, headers?: Readonly<Record<string, string>>) =>
  send("POST", route, body, headers);

interface Person {
  readonly email: string;
  readonly cookie: string;
}

async function logIn(email: string, password = OLD): Promise<Answer> {
  return await post("login", { email, password }, { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0" });
}

async function enter(): Promise<Person> {
  const username = `u${randomUUID().slice(0, 12)}`;
  const email = `${username}@example.com`;
  await post("register", { username, email, password: OLD });
  return { email, cookie: (await logIn(email)).cookie ?? "" };
}

async function readMail(email: string, subject: string): Promise<string> {
  const find = () =>
    smtp.received.findLast(({ to, mail }) => to.includes(email) && mail.headers.get("subject") === subject);
  await expect.poll(find, { message: `a mail "${subject}" to ${email}` }).toBeDefined();
  return find()!.mail.text;
}

function readLink(text: string, page: string): string {
  const token = new RegExp(`^${PAGE}/${page}\\?token=([A-Za-z0-9_-]{43})$`, "m").exec(text)?.[1];
  if (token === undefined) throw new Error(`there is no link to ${page} in: ${text}`);
  return token;
}

const FOREIGN = {
  host: "evil.example",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
  forwarded: "host=evil.example",
};

test("resets a password once by a mailed link that ignores a forged Host header", async () => {
  const { email, cookie } = await enter();
  const asked = await post("forgot-password", { email }, FOREIGN);
  expect(asked).toEqual({ status: 200, text: "{}", cookie: null });
  const text = await readMail(email, "Choose a new password");
  expect(text).not.toContain("evil");
  const token = readLink(text, "reset-password");
  expect((await post("reset-password", { token: `${token.slice(1)}A`, password: NEW })).status).toBe(410);
  expect((await post("reset-password", { token, password: NEW }, FOREIGN)).status).toBe(200);
  const again = await post("reset-password", { token, password: "another one" });
  expect(again.status).toBe(410);
  expect(JSON.parse(again.text)).toMatchObject({
    code: "unusable_reset_link",
    text: expect.stringContaining("expired"),
  });
  expect(JSON.parse((await send("GET", "session", null, { cookie })).text)).toMatchObject({ player: null });
  expect([(await logIn(email)).status, (await logIn(email, NEW)).status]).toEqual([401, 200]);
  expect(await readMail(email, "Your password was changed")).toContain(`${PAGE}/forgot-password`);
});

// [CALL-02 §7 r24] Forgot password mails a link and answers alike for known and unknown addresses.
test("forgot-password answers alike for all addresses and mails only account owners [CALL-02]", async () => {
  const { email } = await enter();
  const nobody = `nobody-${email}`;
  expect(await post("forgot-password", { email: nobody })).toEqual(await post("forgot-password", { email }));
  await readMail(email, "Choose a new password");
  expect(smtp.received.filter(({ to }) => to.includes(nobody))).toEqual([]);
});

test("verifies and changes an address by mailed links", async () => {
  const { email, cookie } = await enter();
  const newEmail = `new-${email}`;
  const verify = readLink(await readMail(email, "Verify your email"), "verify-email");
  expect((await post("verify-email", { token: verify }, { cookie })).status).toBe(200);
  const asked = await post("account/email", { email: newEmail, password: OLD }, { ...FOREIGN, cookie });
  expect(asked).toMatchObject({ status: 200, text: "{}" });
  expect(await readMail(email, "A new email for your account")).toContain(newEmail);
  const change = readLink(await readMail(newEmail, "Verify your new email"), "verify-email");
  expect((await post("verify-email", { token: change }, { cookie })).status).toBe(200);
  const session = JSON.parse((await send("GET", "session", null, { cookie })).text) as SessionView;
  expect(session.player).toMatchObject({ email: newEmail, emailVerified: true });
  expect(await readMail(email, "Your email was changed")).toContain(newEmail);
});

test("lists sessions and ends one or all, including this one's cookie", async () => {
  const { email, cookie } = await enter();
  const other = (await logIn(email)).cookie ?? "";
  const list = (text: string) => (JSON.parse(text) as { readonly sessions: readonly OwnSessionView[] }).sessions;
  const listed = await send("GET", "account/sessions", null, { cookie });
  expect(list(listed.text)).toMatchObject([
    { device: "Firefox on Linux", isCurrent: true },
    { device: "Firefox on Linux", isCurrent: false },
  ]);
  const ended = await post("account/sessions/end", { id: list(listed.text)[1]!.id }, { cookie });
  expect(list(ended.text)).toHaveLength(1);
  expect(JSON.parse((await send("GET", "session", null, { cookie: other })).text)).toMatchObject({ player: null });
  expect((await post("account/sessions/end-all", {}, { cookie })).cookie).toBe("holo_session=");
  expect((await send("GET", "account/sessions", null, { cookie })).status).toBe(401);
});

test.each([
  ["POST", "account/password", { password: OLD, newPassword: NEW }],
  ["POST", "account/email", { password: OLD, email: "new@example.com" }],
  ["GET", "account/sessions", null],
  ["POST", "account/sessions/end", { id: "x" }],
  ["POST", "account/sessions/end-all", {}],
])("%s %s requires a login", async (method, route, body) => {
  expect((await send(method, route, body)).status).toBe(401);
});
