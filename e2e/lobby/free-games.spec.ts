import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { byClicks, playGame } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { answer, press, resign } from "../support/offers.ts";
import { findCard, findToast, readGameId } from "../support/steps.ts";
import { FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

const PHONE = { viewport: { width: 360, height: 640 } };
/** What a sum of money would show. */
const MONEY = /\bHC\b|₦|\bcoins?\b|(?<!no )\bfee\b|refund/i;

const expectNoMoney = (page: Page) => expect(page.getByRole("main")).not.toContainText(MONEY);

// [FREE-08 §2,9 r41] A player whose coins buy nothing is offered 'Play free' as the main action on the home page. 'Free' is a
// choice beside the stakes on Create Match and in the filters, and marks a free game on its ticket, while it waits, at its
// table, in its result, its rematch and in My Matches and History. No sum, fee or refund is shown, and one press joins.
test("two players without coins or a verified address play a free game and its rematch [FREE-08]", async ({
  newPlayer,
  database,
}) => {
  test.slow();
  const poor = { hc: 0, isVerified: false, context: PHONE };
  const [ada, bola] = [await newPlayer("ada", poor), await newPlayer("bola", poor)];
  await ada.page.goto("/");
  await ada.page.getByRole("link", { name: "Play free" }).click();
  await expect(ada.page.getByLabel("Stake per piece")).toHaveValue("0");
  await expect(ada.page.getByRole("main")).toContainText("A free game");
  await expectAccessible(ada.page, "creating a free game");
  await ada.page.getByRole("button", { name: "Create Match" }).click();
  const finding = ada.page.getByRole("dialog", { name: "Finding Match" });
  await expect(finding).toContainText("Free");
  await expect(finding).not.toContainText(MONEY);

  await bola.page.goto("/matches");
  await bola.page.getByRole("button", { name: "Filters" }).click();
  await bola.page.getByLabel("Stake").selectOption("Free");
  await expect(bola.page).toHaveURL("/matches?stake=0");
  const card = findCard(bola.page, ada.username);
  await expect(card).toContainText("Free");
  await expect(card).not.toContainText(MONEY);
  await expectAccessible(bola.page, "the ticket of a free game");
  await card.getByRole("button", { name: "Join Match (free)" }).click();
  await expect(findToast(bola.page, "Joined match!")).toBeVisible();
  const gameId = await readGameId(bola.page);
  expect(await readGameId(ada.page)).toBe(gameId);
  for (const { page } of [ada, bola]) await expectNoMoney(page);

  const hands = [ada, bola].map(({ page }) => ({ page, hand: byClicks })) as [never, never];
  await playGame("checkers", hands, FOUR_PLIES);
  await resign(bola);
  await expect(ada.page.getByRole("heading", { name: "You won" })).toBeVisible();
  for (const { page } of [ada, bola]) {
    await expect(page.locator(".result-panel")).toContainText("Free game.");
    await expectNoMoney(page);
    await expectAccessible(page, "the result of a free game");
  }
  await press(bola.page, "Offer Rematch");
  await answer(ada.page, "Rematch Offer", "Accept");
  for (const { page } of [ada, bola]) await expect(page).not.toHaveURL(new RegExp(gameId));
  const rematchId = await readGameId(ada.page);
  expect(await readGameId(bola.page)).toBe(rematchId);
  await expectNoMoney(bola.page);
  await bola.page.getByRole("button", { name: "Cancel" }).click();
  await bola.page.getByRole("dialog", { name: "Cancel Game?" }).getByRole("button", { name: "Cancel Game" }).click();
  await expect(findToast(ada.page, "Game Cancelled")).not.toContainText(MONEY);
  await expect(ada.page).toHaveURL("/matches");

  await ada.page.goto("/profile");
  await expect(ada.page.getByRole("main")).toContainText("1 of them free");
  await expect(ada.page.getByRole("main")).toContainText("0.0% win rate");
  await ada.page.goto("/profile#games");
  await ada.page.getByRole("tab", { name: /^History/ }).click();
  const rows = ada.page.locator(".match-rows");
  await expect(rows.first()).toContainText("Won Free");
  await expect(rows.last()).toContainText("Cancelled");
  for (const { id } of [ada, bola]) expect(await database.balance(id)).toBe("0.000000");
});

// [FREE-09 §2 r41,42] The waiting page of a free game shows no cost. An invitation to it says that it is free, and one press
// joins. Where the chosen stake is too high for any staked game, 'Play free' on Create Match starts a free one.
test("a player without coins invites a friend to a free game [FREE-09]", async ({ newPlayer }) => {
  const poor = { hc: 0, isVerified: false, context: PHONE };
  const [ada, bola] = [await newPlayer("ada", poor), await newPlayer("bola", poor)];
  await ada.page.goto("/create-match");
  await expect(ada.page.getByRole("button", { name: "Create Match" })).toBeDisabled();
  await ada.page.getByRole("radio", { name: "A friend" }).check();
  await ada.page.getByRole("button", { name: "Play free" }).click();
  const gameId = await readGameId(ada.page);
  await expect(ada.page.getByRole("region", { name: "Free game" })).toContainText("no stake, no fee");
  await expectNoMoney(ada.page);
  await expectAccessible(ada.page, "the waiting page of a free game");
  const panel = ada.page.getByRole("region", { name: "Invite a friend" });
  await bola.page.goto(new URL(await panel.getByRole("status").innerText()).pathname);
  await expect(bola.page.getByRole("region", { name: "The game" })).toContainText("Free game.");
  await expectAccessible(bola.page, "an invitation to a free game");
  await bola.page.getByRole("button", { name: "Join Match (free)" }).click();
  expect(await readGameId(bola.page)).toBe(gameId);
});

// [FREE-10 §2 r41,57] A break for games for coins only leaves free games open: the page says so and still offers Create Match.
test("a break from games for coins leaves free games open [FREE-10]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada");
  await page.goto("/profile#settings");
  await page.getByRole("button", { name: "Take a break" }).click();
  const dialog = page.getByRole("dialog", { name: "Take a Break?" });
  await dialog.getByLabel("What it covers").selectOption("Games for coins only");
  await dialog.getByLabel("Password").fill("holo-arena-tests");
  await expectAccessible(page, "a break from games for coins");
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(findToast(page, "Your break has begun")).toContainText("You can play free games now.");
  await page.goto("/create-match");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();
  await page.getByLabel("Stake per piece").selectOption("Free");
  await page.getByRole("button", { name: "Create Match" }).click();
  const finding = page.getByRole("dialog", { name: "Finding Match" });
  await finding.getByRole("button", { name: "Cancel" }).click();
  await expect(findToast(page, "Match Cancelled")).toContainText(/has been cancelled$/);
});
