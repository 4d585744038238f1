import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Locator, Page } from "@playwright/test";
import { LAGOS_AHEAD_MS } from "../../apps/server/src/ledger/ledger.ts";
import { expect, type Person } from "./fixtures.ts";

export const REVENUE_PAGE = "/admin/revenue";
/** Longer than a test reads figures of one day, also on a busy machine. */
const SAME_DAY_MS = 2 * MINUTE_MS;

/** Waits for a midnight in Lagos that is near: what comes next stays "today" while it is read. */
export async function awaitNearMidnight(): Promise<void> {
  const leftMs = DAY_MS - ((Date.now() + LAGOS_AHEAD_MS) % DAY_MS);
  if (leftMs < SAME_DAY_MS) await sleep(leftMs + 1_000);
}

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
