import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { addMs, toInstant } from "@holo/kernel/instant.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMails } from "../testing/test-mail.ts";
import { openMailFolder } from "./mail-folder.ts";
import type { Mail } from "./mailer.ts";

const MAIL: Mail = {
  id: "0f8d4a4e-2a6f-4a0e-9b62-6f3a5f8c1d11",
  to: "ada@example.com",
  subject: "Hello",
  text: "Hello ada, ₦5,000.\nhttps://arena.example/verify-email?token=0123456789abcdefghijklmnopqrstuvwxyzABCDEFG\n",
  html: "<p>Hello ada.</p>",
  writtenAt: toInstant(Date.UTC(2026, 0, 31, 12)),
};
const never = new AbortController().signal;

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "holo-mails-"));
});
afterAll(() => rm(parent, { recursive: true }));

test("writes each mail to a file that sorts by time and opens in a mail program", async () => {
  const folder = path.join(parent, "ordered", "outbox");
  const mailer = openMailFolder(folder, "help@arena.example");
  const later = {
    ...MAIL,
    id: "00000000-2a6f-4a0e-9b62-6f3a5f8c1d12",
    subject: "Later",
    writtenAt: addMs(MAIL.writtenAt, 1),
  };
  expect(await mailer.send(later, never)).toBe("delivered");
  expect(await mailer.send(MAIL, never)).toBe("delivered");
  expect((await readdir(folder)).sort()).toEqual([
    `2026-01-31T12-00-00.000Z-${MAIL.id}.eml`,
    `2026-01-31T12-00-00.001Z-${later.id}.eml`,
  ]);
  const mails = await readMails(folder);
  expect(mails.map(({ headers }) => headers.get("subject"))).toEqual(["Hello", "Later"]);
  expect(mails[0]).toMatchObject({ text: MAIL.text, html: MAIL.html });
});

test("keeps the file if a mail is sent again, without temporary files", async () => {
  const folder = path.join(parent, "again");
  const mailer = openMailFolder(folder, "help@arena.example");
  await Promise.all([mailer.send(MAIL, never), mailer.send({ ...MAIL, text: "altered" }, never)]);
  const [name = ""] = await readdir(folder);
  const [first] = await readMails(folder);
  await mailer.send({ ...MAIL, text: "altered once more" }, never);
  expect(await readdir(folder)).toEqual([name]);
  expect(await readMails(folder)).toEqual([first]);
});

test("restricts the files to their owner", async () => {
  const folder = path.join(parent, "own");
  await openMailFolder(folder, "help@arena.example").send(MAIL, never);
  const [name = ""] = await readdir(folder);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect((await stat(path.join(folder, name))).mode & 0o077).toBe(0);
});

test.runIf(process.platform === "linux")("leaves nothing of a mail for which the disk is full", async () => {
  const folder = path.join(parent, "full");
  const program = `
    import { openMailFolder } from ${JSON.stringify(new URL("mail-folder.ts", import.meta.url).href)};
    const mailer = openMailFolder(${JSON.stringify(folder)}, "help@arena.example");
    await mailer.send(${JSON.stringify(MAIL)}).catch(({ code }) => process.stdout.write(code));`;
  const node = [process.execPath, "--input-type=module", "-e", program] as const;
  // For Node, this limit of a file's size is a full disk.
  const { stdout } = spawnSync("prlimit", ["--fsize=0", ...node], { encoding: "utf8" });
  expect(stdout).toBe("EFBIG");
  expect(await readdir(folder)).toEqual([]);
});
