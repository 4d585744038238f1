import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { fillBankAccount, findPayment } from "../support/payments.ts";
import { findToast, login } from "../support/steps.ts";

auditAfterwards();

test("closing an account pays out the balance and ends playing and depositing", async ({
  newPlayer,
  database,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 401.*\/api\/login\)/);
  const ada = await newPlayer("ada", { hc: 7, isVerified: true });
  const { page } = ada;
  await page.goto("/profile#account");
  const panel = page.getByRole("region", { name: "Close account" });
  await panel.getByRole("button", { name: "Close account" }).click();
  const dialog = page.getByRole("dialog", { name: "Close Your Account?" });
  await expect(dialog).toContainText("7.000000 HC");
  await expect(dialog).toContainText("₦2,142");
  await expectAccessible(page, "closing an account");
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByRole("button", { name: "Withdraw and Close" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Withdraw and Close" }).click();
  await expect(findToast(page, "Account closed")).toBeVisible();
  await expect(panel).toContainText("You closed your account");
  await page.goto("/wallet");
  await expect(page.getByText("Your account is closing.")).toBeVisible();
  await expect(findPayment(page)).toContainText("₦2,142");
  await expect(findPayment(page)).toContainText("Completed");
  await page.getByRole("radio", { name: "Deposit" }).check();
  await expect(page.getByLabel("Amount in naira")).toHaveCount(0);
  await page.goto("/create-match");
  await expect(page.getByText("Your account is closing.")).toBeVisible();
  expect(await database.balance(ada.id)).toBe("0.000000");

  await page.goto("/profile#account");
  await panel.getByRole("button", { name: "Delete account" }).click();
  const deleting = page.getByRole("dialog", { name: "Delete Your Account?" });
  await expectAccessible(page, "deleting an account");
  await deleting.getByRole("button", { name: "Delete Account" }).click();
  await expect(deleting.getByRole("alert")).toContainText("Please enter your password.");
  await deleting.getByLabel("Your password").fill(PASSWORD);
  await deleting.getByRole("button", { name: "Delete Account" }).click();
  await expect(findToast(page, "Account deleted")).toBeVisible();
  await expect(page).toHaveURL("/login");
  await login(page, ada.email);
  await expect(page.getByRole("alert").filter({ hasText: "Login failed" })).toBeVisible();
});
