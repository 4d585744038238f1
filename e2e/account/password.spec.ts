import { readFile } from "node:fs/promises";
import path from "node:path";
import { readMails } from "../../apps/server/src/platform/testing/test-mail.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { findToast, login } from "../support/steps.ts";

auditAfterwards();

const NEW_PASSWORD = "another-holo-arena";
/** Of any machine's browser, so that its name is known. */
const LINUX = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

async function readLink(dataDir: string, email: string, page: string): Promise<string> {
  let link = "";
  await expect
    .poll(async () => {
      const mails = await readMails(path.join(dataDir, "outbox"));
      const texts = mails.filter(({ headers }) => headers.get("to") === email).map(({ text }) => text);
      link = texts.map((text) => new RegExp(`/${page}\\?token=\\S+`).exec(text)?.[0] ?? "").findLast(Boolean) ?? "";
      return link;
    })
    .not.toBe("");
  return link;
}

// [SITE-06 §7 r26] '/#/reset-password', the form in earlier mails, leads to /reset-password.
// [FORGOT-01 §2] The forgot-password page has an e-mail field, 'Send Reset Link' and 'Back to Login'.
// [VALID-04 §5] Forgot password without an address shows 'Please enter your email address'.
// [VALID-05 §5] A new password requires all fields ('Please fill in all fields') and the same password twice
// ('Passwords do not match').
// [ERR-33 §8 r24] Their successes show 'Password reset email sent! Check your inbox.' and 'Your password has been
// reset successfully!'.
test("a mailed link replaces a forgotten password once [SITE-06 FORGOT-01 VALID-04 VALID-05 ERR-33 LOGIN-01]", async ({
  newVisitor,
  newPlayer,
  arena,
  expectedErrors,
}) => {
  const ada = await newPlayer("ada");
  await ada.page.goto("/profile");
  const page = await newVisitor();
  const pattern = /status of (500.*forgot-password|410.*reset-password|401.*login)\)/;
  expectedErrors.push({ page, pattern }, { page: ada.page, pattern: /status of 401/ });
  await page.goto("/login");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page).toHaveURL("/forgot-password");
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("alert")).toContainText("Please enter your email address");
  await expectAccessible(page, "forgot password");
  await page.getByRole("link", { name: "Back to Login" }).click();
  await expect(page).toHaveURL("/login");

  const forgot = "**/api/forgot-password";
  await page.route(forgot, (route) => route.fulfill({ status: 500, body: "{}" }));
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("button", { name: "Send Reset Link" })).toBeVisible();
  await page.getByLabel("Email").fill(ada.email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(page.getByRole("alert")).toContainText("Failed to send reset email. Please try again.");
  await page.unroute(forgot);

  // the answer does not reveal whether an address has an account
  for (const email of [`nobody-${ada.email}`, ada.email]) {
    if (email === ada.email) await page.goto("/forgot-password");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send Reset Link" }).click();
    await expect(findToast(page, "Password reset email sent!")).toContainText("Check your inbox.");
    await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeFocused();
  }
  await expectAccessible(page, "reset mail sent");

  const link = await readLink(arena.dataDir, ada.email, "reset-password");
  await page.goto(`/#${link}`);
  await expect(page).toHaveURL(link);
  const act = page.getByRole("button", { name: "Reset Password" });
  const confirm = page.getByLabel("Confirm new password");
  await act.click();
  await expect(page.getByRole("alert")).toContainText("Please fill in all fields");
  await page.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await confirm.fill("something else");
  await act.click();
  await expect(confirm).toHaveAccessibleDescription("Passwords do not match");
  await expectAccessible(page, "reset password");
  await confirm.fill(NEW_PASSWORD);
  await act.click();
  await expect(findToast(page, "Your password has been reset successfully!")).toBeVisible();
  await expect(page).toHaveURL("/login");
  await expect(ada.page).toHaveURL("/login");

  await page.goto(link);
  await page.getByLabel("New password", { exact: true }).fill("a third one");
  await confirm.fill("a third one");
  await act.click();
  await expect(page.getByRole("alert")).toContainText("This link has expired, was already used");
  await login(page, ada.email);
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toBeVisible();
  await login(page, ada.email, NEW_PASSWORD);
  await expect(findToast(page, "Login successful")).toBeVisible();
});

test("a player changes password and email, lists sessions and exports their data [ROLE-27]", async ({
  newVisitor,
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 422.*\/api\/account\/password\)/);
  const ada = await newPlayer("ada", { isVerified: true });
  const elsewhere = await newVisitor({ userAgent: LINUX });
  const logInElsewhere = async (email: string, password: string) => {
    await login(elsewhere, email, password);
    await expect(findToast(elsewhere, "Login successful")).toBeVisible();
  };
  // Her other page is logged out by the change.
  expectedErrors.push({ page: elsewhere, pattern: /status of 401/ });
  await logInElsewhere(ada.email, PASSWORD);
  const { page } = ada;
  await page.goto("/profile#account");
  const section = page.getByRole("region", { name: "Account", exact: true });
  const devices = section.getByRole("listitem");
  await expect(devices).toHaveCount(2);
  await expect(devices.first()).toContainText("This device");
  await expect(devices.last()).toContainText("Chrome on Linux");
  await expectAccessible(page, "account");

  await section.getByRole("button", { name: "Change password" }).click();
  const dialog = page.getByRole("dialog");
  const changePassword = dialog.getByRole("button", { name: "Change Password" });
  await dialog.getByLabel("Current password").fill("a guess");
  await dialog.getByLabel("New password", { exact: true }).fill(NEW_PASSWORD);
  await dialog.getByLabel("Confirm new password").fill(NEW_PASSWORD);
  await changePassword.click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password.");
  await expectAccessible(page, "changing the password");
  await dialog.getByLabel("Current password").fill(PASSWORD);
  await changePassword.click();
  await expect(findToast(page, "Password changed")).toBeVisible();
  await expect(devices).toHaveCount(1);
  await expect(elsewhere.getByRole("link", { name: "Login to Play" })).toBeVisible();

  await logInElsewhere(ada.email, NEW_PASSWORD);
  await page.reload();
  await devices.last().getByRole("button", { name: "Log out" }).click();
  await expect(devices).toHaveCount(1);
  await expect(elsewhere.getByRole("link", { name: "Login to Play" })).toBeVisible();

  const newEmail = `new-${ada.email}`;
  await section.getByRole("button", { name: "Change email" }).click();
  await dialog.getByLabel("New email").fill(newEmail);
  await dialog.getByLabel("Your password").fill(NEW_PASSWORD);
  await expectAccessible(page, "changing the email");
  await dialog.getByRole("button", { name: "Send Link" }).click();
  await expect(section.getByRole("status")).toContainText(`We mailed ${newEmail}.`);
  await expectAccessible(page, "a new email waits for its link");
  const link = await readLink(arena.dataDir, newEmail, "verify-email");
  await elsewhere.goto(link);
  await elsewhere.getByRole("button", { name: "Log in to verify" }).click();
  await expect(elsewhere).toHaveURL("/login");
  await login(elsewhere, ada.email, NEW_PASSWORD);
  await expect(elsewhere.getByRole("main").getByRole("link", { name: "Profile" })).toBeVisible();
  await expect(elsewhere).toHaveURL(link);

  await page.goto(link);
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByRole("heading", { name: "Your email is verified" })).toBeFocused();
  await page.getByRole("main").getByRole("link", { name: "Profile" }).click();
  await page.getByRole("tab", { name: "Account" }).click();
  await expect(section.getByText(newEmail)).toBeVisible();

  const downloading = page.waitForEvent("download");
  await section.getByRole("link", { name: "Download my data" }).click();
  const file = JSON.parse(await readFile(await (await downloading).path(), "utf8"));
  expect(file.profile).toMatchObject({ username: ada.username, email: newEmail });

  await logInElsewhere(newEmail, NEW_PASSWORD);
  await section.getByRole("button", { name: "Log out everywhere" }).click();
  await expectAccessible(page, "logging out everywhere");
  await dialog.getByRole("button", { name: "Log Out All" }).click();
  await expect(page).toHaveURL("/login");
  await expect(elsewhere.getByRole("link", { name: "Login to Play" })).toBeVisible();
});
