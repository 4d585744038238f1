import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test } from "./fixtures.ts";
import { connectRobot, playLine } from "./robot.ts";
import { findCard } from "./steps.ts";

const NARROW = { width: 320, height: 640 };

auditAfterwards();

/** Axe finds nothing, by night and by day, and nothing has to be scrolled sideways on the narrowest phone. */
async function inspect(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
  for (const [theme, other] of [
    ["night", "day"],
    ["day", "night"],
  ] as const) {
    await expectNothingFound(page, theme);
    await page.getByRole("button", { name: `Switch to ${other}` }).click();
  }
  const usual = page.viewportSize();
  await page.setViewportSize(NARROW);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} on a narrow screen`).toBeLessThanOrEqual(NARROW.width);
  if (usual !== null) await page.setViewportSize(usual);
}

async function expectNothingFound(page: Page, theme: "night" | "day"): Promise<void> {
  await page.evaluate(waitForAnimations);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  expect(found, `${page.url()} by ${theme}`).toEqual([]);
}

/** In the page: what rises or fades in would be measured half transparent. What goes on for ever is not waited for. */
async function waitForAnimations(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

test("a visitor's screens are accessible and fit narrow phones", async ({ visit, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  const page = await visit();
  for (const address of ["/", "/login", "/register", "/matches", "/nowhere"]) {
    await page.goto(address);
    await inspect(page);
  }
});

test("a player's screens are accessible and fit narrow phones", async ({ arrive, arena }) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  await bola.page.goto("/create-match");
  await inspect(bola.page);
  const gameId = await robots[0].create("checkers", 5, 10);
  await bola.page.goto("/matches");
  await inspect(bola.page);
  await findCard(bola.page, ada.username)
    .getByRole("button", { name: /^Join Match/ })
    .click();
  await expect(bola.page.getByRole("dialog", { name: "Transaction Fee" })).toBeVisible();
  await expectNothingFound(bola.page, "night");

  await ada.page.goto(`/game/${gameId}`);
  await inspect(ada.page);
  await robots[0].cancel(gameId);
  for (const address of ["/", "/profile"]) {
    await ada.page.goto(address);
    await inspect(ada.page);
  }
  for (const robot of robots) robot.close();
});

test("a game of checkers is accessible and fits narrow phones", async ({ arrive, arena }) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, "c3-d4 b6-a5 g3-h4 f6-g5");
  await ada.page.goto(`/game/${gameId}`);
  await inspect(ada.page);
  await ada.page.getByRole("button", { name: "Resign" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Resign Game?" });
  await expectNothingFound(ada.page, "night");
  await dialog.getByRole("button", { name: "Resign" }).click();
  await expect(ada.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await inspect(ada.page);
  for (const robot of robots) robot.close();
});

test("a game of chess is accessible and fits narrow phones", async ({ arrive, arena }) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("chess", 1, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, "e2-e4 e7-e5 d1-h5 b8-c6 h5-f7");
  await bola.page.goto(`/game/${gameId}`);
  await inspect(bola.page);
  for (const robot of robots) robot.close();
});

test("chat, a player's record and what can be asked about them are accessible and fit narrow phones", async ({
  arrive,
  arena,
}) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  const { page } = ada;
  await page.goto(`/game/${gameId}`);
  await page.getByRole("button", { name: "Chat" }).click();
  const chat = page.getByRole("dialog", { name: "Game Chat" });
  await chat.getByRole("textbox", { name: "Message" }).fill("👍".repeat(190));
  await page.keyboard.press("Enter");
  await expect(chat.locator(".message time")).toBeVisible();
  await chat.getByRole("textbox", { name: "Message" }).fill("a".repeat(200));
  await inspect(page);
  await chat.getByRole("button", { name: `Mute ${bola.username}` }).click();
  await expect(chat.getByRole("button", { name: "Unmute" })).toBeVisible();
  await inspect(page);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: bola.username }).click();
  const record = page.getByRole("dialog", { name: "Player Record" });
  await expect(record.getByText("Games played")).toBeVisible();
  await expectNothingFound(page, "night");
  await record.getByRole("button", { name: "Report" }).click();
  await expect(page.getByRole("dialog", { name: "Report" })).toBeVisible();
  await expectNothingFound(page, "night");
  for (const robot of robots) robot.close();
});
