import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectFitsNarrowPhone } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import { deposit, fillBankAccount, findPayment } from "../support/payments.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { chooseTerms, findCard, findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, playPlies, startRobotGame } from "../support/tables.ts";

// These tests move the clock of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards();

const MINUTE_MS = 60_000;

function findLimits(page: Page): Locator {
  return page.getByRole("region", { name: "Your limits" });
}

/** Sets a limit on the open profile and waits until the server has saved it. */
async function choose(page: Page, label: string, choice: string, kept = choice): Promise<void> {
  const field = findLimits(page).getByLabel(label);
  await field.selectOption({ label: choice });
  const answer = page.waitForResponse(
    (response) => response.url().endsWith("/api/limits") && response.request().method() !== "GET",
  );
  await findLimits(page)
    .getByRole("button", { name: `Set ${choice}`, exact: true })
    .click();
  expect((await answer).ok()).toBe(true);
  await expect(field.locator("option:checked")).toHaveText(kept);
}

async function ask({ context }: Person, url: string, method: "PATCH" | "POST", path: string, data: object) {
  const answer = await context.request.fetch(`${url}${path}`, { method, data, headers: { origin: url } });
  return (await answer.json()) as { readonly code?: string; readonly excludedUntil?: number | null };
}

async function openBreak(page: Page): Promise<Locator> {
  await findLimits(page)
    .getByRole("button", { name: /^Take a/ })
    .click();
  return page.getByRole("dialog", { name: "Take a Break?" });
}

async function takeBreak(page: Page): Promise<void> {
  const dialog = await openBreak(page);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(findToast(page, "Your break has begun")).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

test("a lower deposit limit takes effect at once, a higher one a day later", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const { page, context } = ada;
  const begun: string[] = [];
  page.on("request", (request) => request.url().endsWith("/api/deposits") && begun.push(request.url()));
  await page.goto("/profile#limits");
  await choose(page, "Deposits a day", "₦10,000");
  await deposit(page, "5,000");
  await expect(page.getByText("₦5,000 is left.")).toBeVisible();
  await expect(page.getByRole("button", { name: "₦10,000" })).toBeDisabled();
  begun.length = 0;
  await page.getByLabel("Amount in naira").fill("5000.01");
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Your deposit limit is ₦10,000 a day. ₦5,000 left.");
  expect(begun).toEqual([]);
  const order = { commandId: crypto.randomUUID(), kobo: 500_001, payKobo: 500_001, rateKobo: 30_600 };
  expect(await ask(ada, arena.url, "POST", "/api/deposits", order)).toMatchObject({ code: "limit_reached" });

  const other = await context.newPage();
  await other.goto("/profile#limits");
  await choose(other, "Deposits a day", "₦5,000");
  await expect(page.getByText("₦0 is left.")).toBeVisible();

  await choose(other, "Deposits a day", "₦20,000", "₦5,000");
  await expect(findLimits(other)).toContainText("₦20,000 from");
  await other.getByRole("button", { name: "Keep ₦5,000" }).click();
  await expect(findLimits(other)).not.toContainText("₦20,000 from");
  await choose(other, "Deposits a day", "No limit", "₦5,000");
  await expect(findLimits(other)).toContainText("No limit from");
  await expectAccessible(other, "limits, one of which is to be raised");
  await arena.advanceTables(DAY_MS - MINUTE_MS);
  await page.reload();
  await expect(page.getByText("Your limit is ₦5,000 a day")).toBeVisible();
  await arena.advanceTables(MINUTE_MS);
  await page.reload();
  await expect(page.getByRole("button", { name: "₦50,000" })).toBeEnabled();
  await expect(page.getByText("is left.")).toHaveCount(0);
  await choose(other, "Deposits a month", "₦50,000");
  await expect(page.getByText("Your limit is ₦50,000 a month: ₦45,000 is left.")).toBeVisible();
});

test("a stake limit refuses joining and creating above it", async ({ newPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const played = await robots[0].create("checkers", 5);
  await robots[1].join(played);
  await playLine(played, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId: played });

  const { page } = ada;
  await page.goto("/profile#limits");
  await choose(page, "Maximum stake per piece", "2 HC");
  const why = "Your maximum stake is 2 HC per piece.";
  await page.goto(`/game/${played}`);
  await bola.page.goto(`/game/${played}`);
  await expect(page.getByText(why)).toBeVisible();
  await expect(page.getByRole("button", { name: "Offer Rematch" })).toBeDisabled();
  await bola.page.getByRole("button", { name: "Offer Rematch" }).click();
  const offer = page.getByRole("dialog", { name: "Rematch Offer" });
  await expect(offer).toContainText(why);
  await offer.getByRole("button", { name: "Decline" }).click();

  await page.goto("/create-match");
  const create = page.getByRole("button", { name: "Create Match" });
  await chooseTerms(page, { stake: "5" });
  await expect(page.getByText(why)).toBeVisible();
  await expect(create).toBeDisabled();
  await chooseTerms(page, { stake: "2" });
  await expect(create).toBeEnabled();

  const waiting = await robots[1].create("checkers", 5);
  for (const address of ["/matches", `/game/${waiting}`]) {
    await page.goto(address);
    const join = page.getByRole("button", { name: /^Join Match/ });
    await (address === "/matches" ? findCard(page, bola.username).locator(join) : join).click();
    const fee = page.getByRole("dialog", { name: "Transaction Fee" });
    await expect(fee).toContainText(why);
    await expect(fee.getByRole("button", { name: "Accept & Join" })).toBeDisabled();
  }
  await expect(robots[0].join(waiting)).rejects.toThrow(why);
  await robots[1].cancel(waiting);
  closeRobots(robots);
});

// [HOME-14 §2 r17] A player in a cool-down is told on the home page and on Matches when they can play again, and is
// offered no match to create there, in the profile or in an empty list.
test("a player in a cool-down is told when they can play again, and offered no match [HOME-14]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  const robots = [await connectRobot(ada, arena.url), await connectRobot(await addPlayer("bola"), arena.url)] as const;
  for (let missed = 0; missed < 3; missed += 1) {
    const gameId = await robots[0].create("checkers", 1);
    await robots[1].join(gameId);
    await robots[0].cancel(gameId);
  }
  // Other tests have moved the clock of the tables on, and the page counts by another one.
  const told = page.getByText(/You cancelled or missed too many games\. You can start a new one in \d+ min\./);
  const create = page.getByRole("main").getByRole("link", { name: /^Create/ });
  for (const address of ["/", "/matches"]) {
    await page.goto(address);
    await expect(told, address).toBeVisible();
    await expect(create).toHaveCount(0);
    await expectFitsNarrowPhone(page, address);
  }
  await page.goto("/matches?status=completed&search=nobody");
  const empty = page.getByText(/^No matches found\./);
  await expect(empty).toHaveText("No matches found. Try adjusting your filters.");
  await page.goto("/profile#games");
  await expect(page.getByText("You haven't participated in any matches yet.")).toBeVisible();
  await expect(create).toHaveCount(0);
  await page.goto("/create-match");
  await expect(told).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();
  await arena.advanceTables(5 * MINUTE_MS);
  await page.goto("/profile#games");
  await expect(create).toBeVisible();
  await page.goto("/matches?status=completed&search=nobody");
  await expect(empty).toContainText("or create a new match.");
  await page.goto("/");
  await expect(create).toBeVisible();
  await expect(told).toHaveCount(0);
  closeRobots(robots);
});

test("a self-exclusion cancels the pending match, is shown on every page and cannot be ended [HEAD-05]", async ({
  newPlayer,
  arena,
  database,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 422.*\/api\/self-exclusion\)/);
  const ada = await newPlayer("ada", { isVerified: true });
  const { page } = ada;
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5);
  await page.goto("/profile#limits");
  await expect(page.getByText("435.56").first()).toBeVisible();
  const dialog = await openBreak(page);
  await expect(dialog).toContainText("A match that's waiting for an opponent is cancelled and refunded");
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await expectAccessible(page, "a break about to begin");
  await dialog.getByLabel("Your password").fill("something else");
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password.");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(findToast(page, "Your break has begun")).toBeVisible();
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("500.00");
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "refund"]);

  const told = page.getByText("You are taking a break.");
  await expectAccessible(page, "a profile during a break");
  await page.reload();
  await expect(told).toBeVisible();
  for (const address of ["/", "/matches", "/wallet", "/create-match"]) {
    await page.goto(address);
    await expect(told, address).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: /^Create/ })).toHaveCount(0);
    await expectFitsNarrowPhone(page, address);
  }
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();

  const { url } = arena;
  const { excludedUntil } = await ask(ada, url, "POST", "/api/self-exclusion", {
    term: "day",
    coversFreeGames: true,
    password: PASSWORD,
  });
  const again = await ask(ada, url, "PATCH", "/api/limits", { stake: null, depositDay: null });
  expect(again.excludedUntil).toBe(excludedUntil);
  const order = { commandId: crypto.randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  expect(await ask(ada, url, "POST", "/api/deposits", order)).toMatchObject({ code: "self_excluded" });
  await expect(robot.create("checkers", 1)).rejects.toThrow("You're taking a break");

  await page.goto("/wallet");
  await expect(page.getByRole("radio", { name: "Withdraw" })).toBeChecked();
  await page.getByLabel("Amount in naira").fill("6,000");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  const withdrawal = page.getByRole("dialog", { name: "Withdraw to your bank" });
  await fillBankAccount(withdrawal, "0123456789");
  await withdrawal.getByLabel("Your password").fill(PASSWORD);
  await withdrawal.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(findPayment(page)).toContainText("₦6,000");
  // Staff are alerted of a withdrawal that is in progress for a day.
  await expect(findPayment(page)).toContainText("Completed");

  await arena.advanceTables(DAY_MS + MINUTE_MS);
  await page.goto("/create-match");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeEnabled();
  await expect(told).toHaveCount(0);
  robot.close();
});

test("a game continues through a self-exclusion and allows no rematch", async ({ newPlayer, addPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const begun = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const elsewhere = await ada.context.newPage();
  await elsewhere.goto("/");
  await elsewhere.waitForURL(/\/game\//);
  await elsewhere.getByRole("link", { name: "Holo Arena, home" }).click();
  await elsewhere.getByRole("link", { name: /profile/ }).click();
  await elsewhere.getByRole("tab", { name: "Settings" }).click();
  await takeBreak(elsewhere);
  await playPlies(begun, 2);
  await begun.robots[1].send({ type: "resign", gameId: begun.gameId });
  await expect(ada.page.getByRole("button", { name: "Offer Rematch" })).toBeDisabled();
  await expect(ada.page.getByText(/^You can't deposit or play until /)).toBeVisible();
  await expect(elsewhere.getByRole("link", { name: /profile/ })).toContainText("511.11");
  closeRobots(begun.robots);
});

test("the session reminder appears on every page until it is dismissed", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  await ask(ada, arena.url, "PATCH", "/api/limits", { session: 30 });
  const limitsAsked: string[] = [];
  page.on("request", (request) => request.url().includes("/api/limits") && limitsAsked.push(request.url()));
  const reminder = findToast(page, "Time for a break?");
  await page.clock.install();
  await page.goto("/matches");
  await expect(page.getByRole("heading", { name: "Matches" })).toBeVisible();
  await page.clock.fastForward("14:00");
  await page.goto("/wallet");
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await page.clock.fastForward("14:00");
  await expect(reminder).toHaveCount(0);
  await page.clock.fastForward("02:00");
  await expect(reminder).toContainText("You've been here for 30 minutes");
  await page.clock.fastForward("05:00");
  await expect(reminder).toBeVisible();
  await page.reload();
  await expect(reminder).toContainText("You've been here for 35 minutes");
  await reminder.getByRole("button", { name: "Dismiss" }).click();
  await page.reload();
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(reminder).toHaveCount(0);
  expect(limitsAsked).toEqual([]);
});
