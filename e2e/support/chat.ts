import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

export function findChatButton(page: Page): Locator {
  return page.getByRole("button", { name: /^Chat/ });
}

export function findChat(page: Page): Locator {
  return page.getByRole("dialog", { name: "Game Chat" });
}

export function findMessages(page: Page): Locator {
  return findChat(page).getByRole("log", { name: "Messages" }).locator(".message");
}

export async function openChat(page: Page): Promise<void> {
  await findChatButton(page).click();
  await expect(findChat(page).getByRole("textbox", { name: "Message" })).toBeFocused();
}

export async function writeInChat(page: Page, text: string, key = "Enter"): Promise<void> {
  await findChat(page).getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press(key);
}
