import { randomUUID } from "node:crypto";
import type { SettingsView } from "@holo/protocol/platform.ts";
import type { Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { awaitNearMidnight, findPart, openRevenue } from "../support/admin.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import { fillBankAccount } from "../support/payments.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

// A new exchange rate affects all players, and figures count the games of all.
test.use({ ownServer: "platform" });

auditAfterwards();

async function playGame(
  white: TestPlayer,
  black: TestPlayer,
  url: string,
  beforeEnd: () => Promise<void> = async () => {},
): Promise<void> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create("checkers", 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await beforeEnd();
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
}

// [ADMIN-01 §2 r10] /admin/revenue has cards for the total platform balance, the revenue of completed games and the
// number of games.
// [ADMIN-03 §2,6 r10] Only the CEO has the Admin Wallet, which can be expanded and opens a dialog for withdrawing
// revenue.
// [CALL-16 §7,9 r2] Admin figures follow events and are never older than ten seconds.
test("the CEO sees the revenue of games and withdraws it [ADMIN-01 ADMIN-02 ADMIN-03 CALL-16 VALID-28]", async ({
  addPlayer,
  newOwner,
  arena,
  expectedErrors,
}) => {
  test.slow();
  expectedErrors.push(/status of 422.*\/api\/admin\/revenue\)/);
  const owner = await newOwner();
  const { page } = owner;
  const isGameSeen = new Promise<void>((resolve) => {
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes('"gamesPlaying":1')) resolve();
      }),
    );
  });
  await openRevenue(owner);
  const wallet = findPart(page, "Admin Wallet");
  await expect(findPart(page, "Completed-games revenue")).toContainText("0.00 HC");
  await expect(findPart(page, "Total platform balance")).toContainText("HC");
  await expect(findPart(page, "Total games")).toContainText("0 completed, 0 active, 0 pending");
  for (const part of ["Admin Management", "Admin Wallet"]) {
    const heading = findPart(page, part).getByRole("button", { name: part });
    await heading.click();
    await expect(heading).toHaveAttribute("aria-expanded", "false");
    await expect(findPart(page, part).getByRole("button")).toHaveCount(1);
    await heading.click();
  }
  await wallet.getByRole("button", { name: "Withdraw revenue" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw Revenue" });
  const amount = dialog.getByLabel("Amount in naira");
  const send = dialog.getByRole("button", { name: /^Withdraw/ });
  for (const wrong of ["", "-1", "0"]) {
    await amount.fill(wrong);
    await send.click();
    await expect(amount, wrong).toHaveAccessibleDescription("Invalid withdrawal amount");
  }
  await amount.fill("1");
  await send.click();
  await expect(amount).toHaveAccessibleDescription("Withdrawal amount exceeds completed games revenue");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await awaitNearMidnight();
  await playGame(await addPlayer("ada"), await addPlayer("bola"), arena.url, () => isGameSeen);
  // 2 x 12 pieces x 10 HC x 7.4 %
  await expect(findPart(page, "Completed-games revenue")).toContainText("17.76 HC");
  await expect(findPart(page, "Completed-games revenue")).toContainText("₦5,434.56");
  await expect(findPart(page, "Total games")).toContainText("1 completed, 0 active, 0 pending");
  const now = findPart(page, "Right now");
  await expect(now).toContainText("Games playing00 waiting");
  await expect(now).toContainText(/p99 move time[\d.]+ m?s/);
  const days = findPart(page, "Day by day");
  await expect(days).toContainText("17.76 HC in all, today 17.76 HC");
  await days.getByRole("radio", { name: "90 days" }).press("Space");
  await days.getByText("As a table").first().click();
  const revenuePerDay = days.getByRole("table", { name: "Revenue per day, newest first" });
  await expect(revenuePerDay.getByRole("row")).toHaveCount(91);
  await expect(revenuePerDay.getByRole("row").nth(1)).toContainText("17.76 HC");
  await wallet.getByRole("button", { name: "Withdraw revenue" }).click();
  await dialog.getByRole("button", { name: /^All of it: ₦/ }).click();
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("Please verify your account details first");
  await amount.fill("1,000");
  await fillBankAccount(dialog, "0123456789");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await dialog.getByLabel("Your password").fill("something else");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("Wrong password.");
  await expectAccessible(page, "a withdrawal of revenue refused");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Withdraw ₦1,000" }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
  const payment = wallet.getByRole("listitem").first();
  await expect(payment).toContainText("Zenith Bank ••6789");
  await expect(payment).toContainText("Completed");
  await expect(wallet).toContainText("Withdrawn−3.27 HC");
});

// [WHAT-03 §1,9 r4] One holocoin costs ₦306 unless the CEO has set another exchange rate. Every page that shows a
// rate shows the current one.
test("a new exchange rate is previewed and then applies to every wallet [WHAT-03]", async ({
  newPlayer,
  newOwner,
  newVisitor,
  arena,
}) => {
  const visitor = await newVisitor();
  await visitor.goto("/");
  await expect(visitor.getByText("1 Holocoin = ₦306")).toBeVisible();
  const ada = await newPlayer("ada", { hc: 100 });
  await ada.page.goto("/wallet");
  await expect(visitor.getByText(/players? online/)).toBeVisible();
  await expect(ada.page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("₦30,600");
  const owner = await newOwner();
  const { page } = owner;
  await openRevenue(owner);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = findPart(page, "Settings");
  await settings.getByRole("button", { name: "Show the effect" }).click();
  await expect(settings.getByLabel("Naira for one holocoin")).toHaveAccessibleDescription("That's the current value");
  await expect(settings.getByLabel("Naira for one holocoin")).toBeFocused();
  await settings.getByLabel("Naira for one holocoin").fill("316.50");
  await settings.getByLabel("Platform fee in percent").fill("8");
  await settings.getByRole("button", { name: "Show the effect" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Settings?" });
  await expect(dialog).toContainText("₦306 → ₦316.50");
  await expect(dialog).toContainText("7.4% → 8%");
  await expect(dialog).toContainText(/₦[\d,.]+ more/);
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await expectAccessible(page, "settings are to be changed");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(settings.getByRole("row").nth(1)).toContainText("owner₦316.508%");
  await expectAccessible(page, "settings changed");

  for (const page of [ada.page, visitor]) await expect(page.getByText("1 Holocoin = ₦316.50")).toBeVisible();
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("₦31,650");
  await restoreSettings(owner, arena.url, { rateKobo: 31_650, feeBps: 800 });
});

test("a rate whose answer was lost can be set again after another one [WHAT-03]", async ({
  newOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  const owner = await newOwner();
  const { page } = owner;
  await openRevenue(owner);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = findPart(page, "Settings");

  async function setRate(naira: string): Promise<void> {
    await settings.getByLabel("Naira for one holocoin").fill(naira);
    await settings.getByRole("button", { name: "Show the effect" }).click();
    const dialog = page.getByRole("dialog", { name: "Change Settings?" });
    await dialog.getByLabel("Your password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Change" }).click();
    await expect(settings.getByRole("row").nth(1)).toContainText(`owner₦${naira}7.4%`);
  }

  let isLost = true;
  await page.route("**/api/admin/settings", async (route) => {
    if (route.request().method() !== "POST" || !isLost) return await route.fallback();
    isLost = false;
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  for (const naira of ["310", "306", "310"]) await setRate(naira);
  await restoreSettings(owner, arena.url, { rateKobo: 31_000, feeBps: 740 });
});

/** Numbers that are broken over two lines, or that are wider than the window. */
function findBrokenNumbers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      // The facts of a case are folded: what is not shown has no lines.
      if (node.parentElement?.checkVisibility() !== true) continue;
      for (const { 0: number, index } of node.data.matchAll(/[₦−]*\d[\d,.]*\d/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + number.length);
        const [first, ...others] = range.getClientRects();
        if (first === undefined) continue;
        const isWide = first.right > document.documentElement.clientWidth;
        if (isWide || others.some(({ top }) => top >= first.bottom)) broken.push(number);
      }
    }
    return broken;
  });
}

// [ADMIN-50 §2] A number on the revenue page is never broken over two lines, also for amounts of billions on a phone.
test("amounts of billions stay on one line at every width [ADMIN-50]", async ({ newOwner }) => {
  const owner = await newOwner();
  const { page } = owner;
  const coins = "98039215680000";
  const kobo = 3_000_000_000_050;
  const pending = { count: 1200, kobo };
  const change = async (path: string, changed: (answer: { solvency: object }) => object) =>
    await page.route(`**/api/admin/${path}`, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { solvency: object };
      await route.fulfill({ response, json: { ...answer, ...changed(answer) } });
    });
  await change("overview", ({ solvency }) => ({
    platformBalance: coins,
    completedRevenue: coins,
    wallets: coins,
    debts: coins,
    solvency: { ...solvency, owedCoins: coins, owedKobo: kobo, providerKobo: kobo, differenceKobo: 0 },
  }));
  await change("live", () => ({
    depositsTodayKobo: kobo,
    withdrawalsTodayKobo: kobo,
    pendingDeposits: pending,
    pendingWithdrawals: pending,
  }));
  await change("revenue", () => ({ left: coins, earned: coins }));
  await page.setViewportSize({ width: 390, height: 844 });
  await openRevenue(owner);
  await expect(findPart(page, "Right now")).toContainText("₦30,000,000,000.50");
  await expect(findPart(page, "Total platform balance")).toContainText("98,039,215.68 HC");
  await expect(findPart(page, "Admin Wallet")).toContainText("98,039,215.68 HC");
  for (const width of [1440, 1023, 900, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => findBrokenNumbers(page), { message: `${width} px` }).toEqual([]);
  }
});

/** Other files share the server. */
async function restoreSettings({ context }: Person, url: string, expected: SettingsView): Promise<void> {
  const data = { rateKobo: 30_600, feeBps: 740, expected, commandId: randomUUID(), password: PASSWORD };
  const answer = await context.request.post(`${url}/api/admin/settings`, { data, headers: { origin: url } });
  expect(answer.ok()).toBe(true);
}
