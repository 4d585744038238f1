import { randomBytes } from "node:crypto";
import path from "node:path";
import { readMails } from "../../apps/server/src/platform/testing/test-mail.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { findToast } from "../support/steps.ts";

auditAfterwards();

test("the newest mailed link verifies an email address", async ({ newVisitor, arena, expectedErrors }) => {
  expectedErrors.push(/status of 410.*\/api\/verify-email\)/);
  const page = await newVisitor();
  const username = `ada-${randomBytes(4).toString("hex")}`;
  const form = { username, email: `${username}@example.com`, password: PASSWORD };
  const headers = { origin: arena.url };
  expect((await page.request.post("/api/register", { data: form, headers })).ok()).toBe(true);
  const { email, password } = form;
  expect((await page.request.post("/api/login", { data: { email, password }, headers })).ok()).toBe(true);
  const readLinks = async (): Promise<readonly string[]> => {
    const mails = await readMails(path.join(arena.dataDir, "outbox"));
    const own = mails.filter(({ headers }) => headers.get("to") === `${username}@example.com`);
    return own.map(({ text }) => /\/verify-email\?token=\S+/.exec(text)?.[0] ?? "");
  };
  const mailed = async (count: number): Promise<string> => {
    await expect.poll(async () => (await readLinks()).length).toBe(count);
    return (await readLinks()).at(-1) ?? "";
  };
  const first = await mailed(1);

  await page.goto("/profile");
  const notice = page.getByRole("paragraph").filter({ hasText: "Verify your email: open the link we mailed to" });
  await expect(notice).toContainText(`${username}@example.com`);
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(findToast(page, "Mail on its way")).toBeVisible();
  const second = await mailed(2);

  await page.goto(first);
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("alert")).toContainText("Link not valid");
  await page.goto(second);
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { name: "Your email is verified" })).toBeFocused();

  await page.getByRole("main").getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("heading", { name: username })).toBeVisible();
  await expect(notice).toHaveCount(0);
});
