import { toAuthenticatorCode } from "../../apps/server/src/transport/testing/authenticator.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";

auditAfterwards();

const HALF_MINUTE_MS = 30_000;

test("a player switches on login codes with an app, and logs in with a code and a recovery code [CALL-22b]", async ({
  newPlayer,
  expectedErrors,
}) => {
  const { page, email } = await newPlayer("kemi");
  expectedErrors.push(/status of (401|422)/);
  await page.goto("/profile");
  await page.getByRole("button", { name: "Switch on login codes" }).click();
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
  await page.getByRole("button", { name: "I Have Kept Them" }).click();
  await expect(page.getByRole("button", { name: "Switch off login codes" })).toBeVisible();

  async function logIn(code: string) {
    await page.context().clearCookies();
    await page.goto("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Login", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Login", exact: true }).click();
  }

  await logIn("000000");
  await expect(page.getByText("That code is not right")).toBeVisible();
  // The code of the setup was used; the next one counts already.
  await logIn(toAuthenticatorCode(secret, now + HALF_MINUTE_MS));
  await expect(page.getByText("Login successful")).toBeVisible();
  await logIn(recoveryCode);
  await expect(page.getByText("Login successful")).toBeVisible();
});
