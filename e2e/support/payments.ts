import type { Locator, Page } from "@playwright/test";
import { openControl, type SandboxControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import { expect } from "./fixtures.ts";

export const CHECKOUT = /\/checkout\//;

export async function openCheckout(page: Page, amount: string): Promise<SandboxControl> {
  await page.goto("/wallet");
  await page.getByRole("radio", { name: "Deposit" }).check();
  await page.getByLabel("Amount in naira").fill(amount);
  await page.getByRole("button", { name: /^Deposit ₦/ }).click();
  await page.waitForURL(CHECKOUT);
  return openControl(new URL(page.url()).origin);
}

/** `button`: how it is paid at the checkout; by transfer unless it is said. */
export async function deposit(page: Page, amount: string, button: RegExp = /^Pay ₦/): Promise<SandboxControl> {
  const control = await openCheckout(page, amount);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toBeVisible();
  return control;
}

export function findPayment(page: Page): Locator {
  return page.getByRole("region", { name: "Deposits and withdrawals" }).getByRole("listitem").first();
}

export function readReference(payment: Locator): Promise<string> {
  return payment.locator(".reference").innerText();
}

export async function fillBankAccount(dialog: Locator, accountNumber: string): Promise<void> {
  await dialog.getByLabel("Bank", { exact: true }).selectOption({ label: "Zenith Bank" });
  await dialog.getByLabel("Account number").fill(accountNumber);
  await dialog.getByRole("button", { name: "Verify Account" }).click();
  await expect(dialog.getByRole("status")).toContainText("Account verified successfully");
}

export function findBalance(page: Page): Locator {
  return page.getByRole("region", { name: "Balance" });
}

export function findTerm(page: Page, term: string): Locator {
  return page
    .getByRole("region", { name: "Available and pending" })
    .locator("div", { has: page.getByText(term, { exact: true }) })
    .last();
}

export async function askWithdrawal(page: Page, amount: string): Promise<Locator> {
  await page.getByRole("radio", { name: "Withdraw" }).check();
  await page.getByLabel("Amount in naira").fill(amount);
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  return page.getByRole("dialog", { name: "Withdraw to your bank" });
}
