import type { Locator, Page } from "@playwright/test";
import { expectAccessibleAnyhow } from "./axe.ts";
import { auditAfterwards, expect, type Person, test } from "./fixtures.ts";
import { findToast } from "./steps.ts";

auditAfterwards();

const PAGE = "/admin/revenue";

async function openRevenue({ page }: Person): Promise<void> {
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Revenue", exact: true })).toBeVisible();
}

async function expectDenied(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Admin" })).toHaveCount(0);
}

function findPart(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

test("a visitor and a player are denied, and shown no way there", async ({ arrive, visit }) => {
  const visitor = await visit();
  await visitor.goto(PAGE);
  await expectDenied(visitor);
  await expectAccessibleAnyhow(visitor, "denied");
  const ada = await arrive("ada", { isVerified: true });
  await ada.page.goto("/");
  await expect(ada.page.getByRole("link", { name: "Wallet" }).first()).toBeVisible();
  await expect(ada.page.getByRole("link", { name: "Admin" })).toHaveCount(0);
  await ada.page.goto(PAGE);
  await expectDenied(ada.page);
});

test("who is made an admin sees the page at once, without what is the CEO's, and who is removed is denied at once", async ({
  arrive,
  arriveOwner,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  const owner = await arriveOwner();
  const amaka = await arrive("amaka", { hc: 0, isVerified: true });
  await amaka.page.goto(PAGE);
  await expectDenied(amaka.page);

  await owner.page.goto("/");
  await owner.page.getByRole("link", { name: "Admin" }).click();
  const list = findPart(owner.page, "Admin Management");
  await expect(list.getByRole("listitem").first()).toHaveText(`${owner.email}CEO`);
  const field = list.getByLabel("Admin's e-mail");
  for (const wrong of ["", "amaka.example.com"]) {
    await field.fill(wrong);
    await list.getByRole("button", { name: "Add Admin" }).click();
    await expect(field).toHaveAccessibleDescription("Please enter a valid email");
  }
  await field.fill(owner.email);
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(findToast(owner.page, "Failed to add admin email")).toBeVisible();
  await field.fill(amaka.email);
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(list.getByRole("listitem").nth(1)).toContainText(amaka.username);
  await field.fill("nobody@example.com");
  await field.press("Enter");
  await expect(list.getByRole("listitem").nth(2)).toContainText("Nobody has registered with it yet");

  await openRevenue(amaka);
  await expect(amaka.page.getByRole("link", { name: "Admin" })).toBeVisible();
  await expect(findPart(amaka.page, "Admin Management").getByRole("listitem").nth(1)).toContainText("You");
  await expect(findPart(amaka.page, "What players are owed")).toBeVisible();
  for (const part of ["Admin Wallet", "Settings"]) await expect(findPart(amaka.page, part)).toHaveCount(0);

  await list.getByRole("button", { name: `Remove ${amaka.email}` }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Remove Admin?" });
  await expectAccessibleAnyhow(owner.page, "an admin is to be removed");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectDenied(amaka.page);
});
