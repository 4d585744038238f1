import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Locator, Page } from "@playwright/test";
import { expectAccessibleAnyhow, expectFitting } from "./axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "./fixtures.ts";
import { deposit, findPayment, nameAccount } from "./payments.ts";
import { connectRobot, playLine } from "./robot.ts";
import { chooseTerms, findCard, findToast } from "./steps.ts";
import { begin, closeAll, FOUR_PLIES, playOn } from "./tables.ts";

test.use({ hasTableClock: true });
auditAfterwards();

const MINUTE_MS = 60_000;

function findLimits(page: Page): Locator {
  return page.getByRole("region", { name: "Your limits" });
}

/** Chooses a limit on the profile, which is open, and waits until the server has kept it. */
async function choose(page: Page, label: string, choice: string, kept = choice): Promise<void> {
  const field = findLimits(page).getByLabel(label);
  await field.selectOption({ label: choice });
  const answer = page.waitForResponse((response) => response.url().endsWith("/api/limits"));
  await findLimits(page)
    .getByRole("button", { name: `Set ${choice}`, exact: true })
    .click();
  expect((await answer).ok()).toBe(true);
  await expect(field.locator("option:checked")).toHaveText(kept);
}

/** Past the page. Returns what the server says. */
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

/** From the profile, which is open. */
async function takeBreak(page: Page): Promise<void> {
  const dialog = await openBreak(page);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(findToast(page, "Your break has begun")).toBeVisible();
  await expect(dialog).toHaveCount(0);
}

test("a deposit limit holds at once when lowered, and a day later when raised", async ({ arrive, arena }) => {
  const ada = await arrive("ada", { hc: 0 });
  const { page, context } = ada;
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(new URL(request.url()).pathname));
  await page.goto("/profile");
  await choose(page, "Deposits a day", "₦10,000");
  await deposit(page, "5,000");
  await expect(page.getByText("₦5,000 is left.")).toBeVisible();
  await expect(page.getByRole("button", { name: "₦10,000" })).toBeDisabled();
  asked.length = 0;
  await page.getByLabel("Amount in naira").fill("5000.01");
  await page.getByRole("button", { name: /^Deposit ₦/ }).click();
  await expect(page.getByRole("alert")).toContainText("You let yourself deposit ₦10,000 a day. Of that ₦5,000 is left");
  expect(asked).toEqual([]);
  const order = { commandId: crypto.randomUUID(), kobo: 500_001, rateKobo: 30_600 };
  expect(await ask(ada, arena.url, "POST", "/api/deposits", order)).toMatchObject({ code: "limit_reached" });

  // another tab hears of it without asking
  const other = await context.newPage();
  await other.goto("/profile");
  await choose(other, "Deposits a day", "₦5,000");
  await expect(page.getByText("₦0 is left.")).toBeVisible();

  await choose(other, "Deposits a day", "₦20,000", "₦5,000");
  await expect(findLimits(other)).toContainText("₦20,000 from");
  await other.getByRole("button", { name: "Keep ₦5,000" }).click();
  await expect(findLimits(other)).not.toContainText("₦20,000 from");
  await choose(other, "Deposits a day", "No limit", "₦5,000");
  await expect(findLimits(other)).toContainText("No limit from");
  await arena.advanceTables(DAY_MS - MINUTE_MS);
  await page.reload();
  await expect(page.getByText("Your limit is ₦5,000 a day")).toBeVisible();
  await arena.advanceTables(MINUTE_MS);
  await page.reload();
  await expect(page.getByRole("button", { name: "₦50,000" })).toBeEnabled();
  await expect(page.getByText("is left.")).toHaveCount(0);
});

test("nobody sits down above the stake they let themselves play for", async ({ arrive, arena }) => {
  const [ada, bola] = [await arrive("ada"), await arrive("bola")];
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const played = await robots[0].create("checkers", 5);
  await robots[1].join(played);
  await playLine(played, robots, FOUR_PLIES);
  await robots[0].act({ type: "resign", gameId: played });

  const { page } = ada;
  await page.goto("/profile");
  await choose(page, "Highest stake a piece", "2 HC");
  const why = "You let yourself play for at most 2 HC a piece.";
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
  closeAll(robots);
});

test("a break cancels the match that waits, is told wherever something is kept from the player, and nobody ends it [HEAD-05b]", async ({
  arrive,
  arena,
  book,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  const ada = await arrive("ada", { isVerified: true });
  const { page } = ada;
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5);
  await page.goto("/profile");
  await expect(page.getByText("435.56").first()).toBeVisible();
  const dialog = await openBreak(page);
  await expect(dialog).toContainText("A match that waits for an opponent is cancelled and refunded");
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await dialog.getByLabel("Your password").fill("something else");
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(dialog.getByRole("alert")).toContainText("That is not your password.");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(findToast(page, "Your break has begun")).toBeVisible();
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("500.00");
  expect(await book.entries(gameId)).toEqual(["stake", "refund"]);

  const told = page.getByText("You are taking a break.");
  for (const address of ["/", "/matches", "/create-match", "/wallet", "/profile"]) {
    await page.goto(address);
    await expect(told, address).toBeVisible();
    if (address !== "/profile")
      await expect(page.getByRole("main").getByRole("link", { name: /^Create/ })).toHaveCount(0);
  }
  await page.goto("/create-match");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();

  // nothing ends it: no shorter one, no limit, no way past the page
  const { url } = arena;
  const { excludedUntil } = await ask(ada, url, "POST", "/api/self-exclusion", { term: "day", password: PASSWORD });
  const again = await ask(ada, url, "PATCH", "/api/limits", { stake: null, depositDay: null });
  expect(again.excludedUntil).toBe(excludedUntil);
  const order = { commandId: crypto.randomUUID(), kobo: 500_000, rateKobo: 30_600 };
  expect(await ask(ada, url, "POST", "/api/deposits", order)).toMatchObject({ code: "self_excluded" });
  await expect(robot.create("checkers", 1)).rejects.toThrow("You have excluded yourself");

  await page.goto("/wallet");
  await expect(page.getByRole("radio", { name: "Withdraw" })).toBeChecked();
  await page.getByLabel("Amount in naira").fill("6,000");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  const withdrawal = page.getByRole("dialog", { name: "Withdraw to your bank" });
  await nameAccount(withdrawal, "0123456789");
  await withdrawal.getByLabel("Your password").fill(PASSWORD);
  await withdrawal.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(findPayment(page)).toContainText("₦6,000");

  await arena.advanceTables(DAY_MS + MINUTE_MS);
  await page.goto("/create-match");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeEnabled();
  await expect(told).toHaveCount(0);
  robot.close();
});

test("a game that has begun goes on through a break to its end, and no rematch follows", async ({ arrive, arena }) => {
  const [ada, bola] = [await arrive("ada"), await arrive("bola")];
  const begun = await begin(ada, bola, arena.url, FOUR_PLIES);
  // deliberate navigation leads away from the game, loading a page would not
  const elsewhere = await ada.context.newPage();
  await elsewhere.goto("/");
  await elsewhere.waitForURL(/\/game\//);
  await elsewhere.getByRole("link", { name: "Holo Arena, home" }).click();
  await elsewhere.getByRole("link", { name: /profile/ }).click();
  await takeBreak(elsewhere);
  await playOn(begun, 2);
  await begun.robots[1].act({ type: "resign", gameId: begun.gameId });
  await expect(ada.page.getByRole("button", { name: "Offer Rematch" })).toBeDisabled();
  await expect(ada.page.getByText(/^Until .* you can neither deposit nor play\./)).toBeVisible();
  await expect(elsewhere.getByRole("link", { name: /profile/ })).toContainText("511.11");
  closeAll(begun.robots);
});

test("a player is reminded of the time when it is due, on every page, until they take note", async ({
  arrive,
  arena,
}) => {
  const ada = await arrive("ada");
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
  await expect(reminder).toContainText("You have been here for 30 minutes");
  await page.clock.fastForward("05:00");
  await expect(reminder).toBeVisible();
  await page.reload();
  await expect(reminder).toContainText("You have been here for 35 minutes");
  await reminder.getByRole("button", { name: "Dismiss" }).click();
  await page.reload();
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(reminder).toHaveCount(0);
  expect(limitsAsked).toEqual([]);
});

test("axe finds nothing on the limits, whatever holds", async ({ arrive }) => {
  const { page } = await arrive("ada", { hc: 100 });
  await page.goto("/profile");
  await choose(page, "Deposits a month", "₦50,000");
  await choose(page, "Deposits a month", "No limit", "₦50,000");
  await expectAccessibleAnyhow(page, "limits, one of which is to be raised");
  const dialog = await openBreak(page);
  await dialog.getByRole("button", { name: "Start Break" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessibleAnyhow(page, "a break about to begin");
  await dialog.getByRole("button", { name: "Not Now" }).click();
  await takeBreak(page);
  await expectAccessibleAnyhow(page, "a profile during a break");
  for (const address of ["/", "/wallet", "/create-match"]) {
    await page.goto(address);
    await expect(page.getByText("You are taking a break.")).toBeVisible();
    await expectFitting(page, address);
  }
});
