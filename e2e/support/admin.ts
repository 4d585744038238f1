import type { Locator, Page } from "@playwright/test";
import { expect, type Person } from "./fixtures.ts";

export const REVENUE_PAGE = "/admin/revenue";

export async function openRevenue({ page }: Person): Promise<void> {
  await page.goto(REVENUE_PAGE);
  await expect(page.getByRole("heading", { name: "Revenue", exact: true })).toBeVisible();
}

export async function expectDenied(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Admin" })).toHaveCount(0);
}

export function findPart(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}
