import { toAuthenticatorCode } from "../../apps/server/src/transport/testing/authenticator.ts";
import { findPart } from "../support/admin.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";

auditAfterwards();

const HALF_MINUTE_MS = 30_000;

// [CALL-22 §7 r40] A player switches on login codes with an authenticator app, by a QR code or a key, and gets ten
// recovery codes. Each login then asks for a code; each code works once.
test("a player switches on login codes with an app, and logs in with a code and a recovery code [CALL-22]", async ({
  newPlayer,
  expectedErrors,
}) => {
  const { page, email, username } = await newPlayer("kemi");
  expectedErrors.push(/status of (401|422)/);
  await page.goto("/profile#account");
  // The profile stays visible while the dialog loads.
  let deliver = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route(/switch-on-dialog/, async (route) => {
    await isHeld;
    await route.continue();
  });
  const chunk = page.waitForRequest(/switch-on-dialog/);
  await page.getByRole("button", { name: "Switch on login codes" }).click();
  await chunk;
  await expect(page.getByRole("heading", { name: username, level: 1 })).toBeVisible();
  deliver();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("alert")).toContainText("Please enter your password.");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const secret = (await page.locator(".second-factor-secret").innerText()).replaceAll(" ", "");
  const now = Date.now();
  await page.getByLabel("Code from the app").fill(toAuthenticatorCode(secret, now));
  await page.getByRole("button", { name: "Switch On", exact: true }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const recoveryCode = await codes.first().innerText();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy codes" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect((await page.evaluate(() => navigator.clipboard.readText())).split("\n")).toEqual(await codes.allInnerTexts());
  await page.getByRole("button", { name: "I've Saved Them" }).click();
  await expect(page.getByRole("button", { name: "Switch off login codes" })).toBeVisible();

  async function askForCode() {
    await page.context().clearCookies();
    await page.goto("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  }
  async function logIn(code: string) {
    await askForCode();
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Login", exact: true }).click();
  }

  await askForCode();
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Please enter the code from your authenticator app.");

  await logIn("000000");
  await expect(page.getByText("Wrong code")).toBeVisible();
  // The setup used its code; the next one is accepted already.
  await logIn(toAuthenticatorCode(secret, now + HALF_MINUTE_MS));
  await expect(page.getByText("Login successful")).toBeVisible();
  await logIn(recoveryCode);
  await expect(page.getByText("Login successful")).toBeVisible();
});

test("staff enter a code when they act, and the act goes on [ROLE-25]", async ({
  arena,
  newOwner,
  database,
  expectedErrors,
}) => {
  const { page, id, email } = await newOwner();
  expectedErrors.push(/status of (401|409)/);
  const post = async (path: string, data: object): Promise<{ secret: string; recoveryCodes: readonly string[] }> => {
    const url = `${arena.url}/api/account/second-factor/${path}`;
    const answer = await page.context().request.post(url, { data, headers: { origin: arena.url } });
    expect(answer.ok(), path).toBe(true);
    return await answer.json();
  };
  const { secret } = await post("begin", { password: PASSWORD });
  const now = Date.now();
  const { recoveryCodes } = await post("enable", { code: toAuthenticatorCode(secret, now) });
  await database.ageCodes(id);
  await page.goto("/admin/revenue");
  const list = findPart(page, "Admin Management");
  await list.getByLabel("Admin's email").fill(email);
  await list.getByLabel("Your password").fill(PASSWORD);
  const addAdmin = list.getByRole("button", { name: "Add Admin" });
  await addAdmin.click();
  const dialog = page.getByRole("dialog", { name: "Enter Your Code" });
  // Nothing failed.
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(addAdmin).toBeEnabled();
  await expect(addAdmin).toHaveText("Add Admin");
  expect(await page.getByRole("alert").count()).toBe(0);
  await addAdmin.click();
  // An empty code is no attempt.
  const attempts: string[] = [];
  page.on("request", (request) => attempts.push(request.url()));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter the code from your authenticator app.");
  expect(attempts.filter((url) => url.endsWith("/second-factor/confirm"))).toEqual([]);
  await dialog.getByLabel("Code").fill(toAuthenticatorCode(secret, now + HALF_MINUTE_MS));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  // The action's answer: the owner is an admin already.
  await expect(list.getByRole("alert")).toContainText("Failed to add admin email");
  // Other tests share this owner.
  await post("disable", { password: PASSWORD, code: recoveryCodes[0] });
});
