import type { Page } from "@playwright/test";
import { expectAccessible, expectFitting } from "./axe.ts";
import { auditAfterwards, expect, test } from "./fixtures.ts";
import { connectRobot } from "./robot.ts";
import { findCard } from "./steps.ts";

auditAfterwards();

/** It stands in its frame, axe finds nothing, by night and by day, and nothing has to be scrolled sideways on the narrowest phone. */
async function inspect(page: Page): Promise<void> {
  await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toHaveCount(page.url().includes("/game/") ? 0 : 1);
  for (const [theme, other] of [
    ["night", "day"],
    ["day", "night"],
  ] as const) {
    await expectAccessible(page, `${page.url()} by ${theme}`);
    await page.getByRole("button", { name: `Switch to ${other}` }).click();
  }
  await expectFitting(page, page.url());
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
  await expectAccessible(bola.page, "a dialog by night");

  await ada.page.goto(`/game/${gameId}`);
  await inspect(ada.page);
  await robots[0].cancel(gameId);
  for (const address of ["/", "/profile"]) {
    await ada.page.goto(address);
    await inspect(ada.page);
  }
  for (const robot of robots) robot.close();
});
