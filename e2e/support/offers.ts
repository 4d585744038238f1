import type { Locator, Page } from "@playwright/test";
import { expect, type Person } from "./fixtures.ts";

type Offer = "Draw Offer" | "Takeback Request" | "Rematch Offer";

/** The buy-in: 12 HC and 7.4 %. */
export const ENTRY_HC = 12.888;

export function findOffer(page: Page, title: Offer): Locator {
  return page.getByRole("dialog", { name: title });
}

export async function answer(
  page: Page,
  title: Offer,
  word: "Accept" | "Decline" | "Don't ask again this game",
): Promise<void> {
  await findOffer(page, title).getByRole("button", { name: word }).click();
  await expect(findOffer(page, title)).toHaveCount(0);
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
}

export async function resign({ page }: Person): Promise<void> {
  await press(page, "Resign");
  await page.getByRole("dialog", { name: "Resign Game?" }).getByRole("button", { name: "Resign" }).click();
}
