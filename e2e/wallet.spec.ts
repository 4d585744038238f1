import { readFile } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Locator, Page } from "@playwright/test";
import { openControl } from "../apps/sandbox/src/testing/sandbox-control.ts";
import { readMails } from "../apps/server/src/platform/testing/test-mail.ts";
import type { ArenaServer } from "./support/arena-server.ts";
import { expectAccessibleInBothThemes } from "./support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "./support/fixtures.ts";
import { CHECKOUT, deposit, fillBankAccount, findPayment, openCheckout, readReference } from "./support/payments.ts";
import { connectRobot } from "./support/robot.ts";
import { findToast } from "./support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "./support/tables.ts";

test.use({ hasTableClock: true });
// a transfer returned after its success logs an alert for staff
auditAfterwards([/"alert":"transfer_reversed"/]);

function findBalance(page: Page): Locator {
  return page.getByRole("region", { name: "Balance" });
}

/** The value of a term in the balance panel. */
function findTerm(page: Page, term: string): Locator {
  return findBalance(page)
    .locator("div", { has: page.getByText(term, { exact: true }) })
    .last();
}

async function askWithdrawal(page: Page, amount: string): Promise<Locator> {
  await page.getByRole("radio", { name: "Withdraw" }).check();
  await page.getByLabel("Amount in naira").fill(amount);
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  return page.getByRole("dialog", { name: "Withdraw to your bank" });
}

/** Withdraws to an account used for the first time. */
async function withdraw(page: Page, amount: string, accountNumber: string): Promise<void> {
  const dialog = await askWithdrawal(page, amount);
  await fillBankAccount(dialog, accountNumber);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** The newest mailed link. The folder does not exist before the first mail. */
async function readLink({ email }: Person, arena: ArenaServer): Promise<string> {
  let link = "";
  await expect(async () => {
    const mails = await readMails(path.join(arena.dataDir, "outbox"));
    const own = mails.filter(({ headers }) => headers.get("to") === email);
    link = own.map(({ text }) => /\/verify-email\?token=\S+/.exec(text)?.[0] ?? "").findLast((found) => found !== "")!;
    expect(link).toMatch(/token/);
  }).toPass();
  return link;
}

/** Uses the mailed link without the page. */
async function verifyEmail(person: Person, arena: ArenaServer): Promise<void> {
  const { request } = person.context;
  const headers = { origin: arena.url };
  await request.post(`${arena.url}/api/resend-verification`, { data: {}, headers });
  const token = new URL(await readLink(person, arena), arena.url).searchParams.get("token");
  const answer = await request.post(`${arena.url}/api/verify-email`, { data: { token }, headers });
  expect(answer.ok()).toBe(true);
}

test("a paid deposit is credited once and shows at the tables at once [HEAD-05]", async ({ newPlayer, database }) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const { page } = ada;
  await page.goto("/");
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(findBalance(page)).toContainText("0.00");
  await page.getByRole("button", { name: "₦20,000" }).click();
  await expect(page.getByText("65.35 HC")).toBeVisible();
  await page.getByRole("button", { name: "Deposit ₦20,000" }).click();
  await page.waitForURL(CHECKOUT);
  const control = openControl(new URL(page.url()).origin);
  await page.getByRole("button", { name: "Pay ₦20,000.00" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toContainText(
    "₦20,000 arrived, and 65.35 HC are in your wallet.",
  );
  await expect(page).toHaveURL(/\/wallet$/);
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("65.35");
  await expect(findTerm(page, "Available for withdrawal")).toContainText("0.00");
  await expect(findTerm(page, "Settling, free within 24 hours")).toContainText("65.35");
  await expect(findPayment(page)).toContainText("Completed");
  // a repeated webhook and a repeated return credit nothing more
  const { webhooks } = await control.state();
  for (const { id } of webhooks) expect(await control.replay(id)).toBe(200);
  await page.goto(`/wallet?reference=${await readReference(findPayment(page))}`);
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toBeVisible();
  expect(await database.balance(ada.id)).toBe("65.359478");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Deposit completed")).toHaveCount(0);
});

/**
 * Makes the next load of the wallet read the payments before the deposit is checked and answer
 * after.
 */
async function delayWalletLoad(page: Page): Promise<void> {
  const loaded = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  await page.route(
    "**/api/wallet",
    async (route) => {
      const response = await route.fetch();
      loaded.resolve();
      await checked.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await page.route(
    "**/api/deposits/check",
    async (route) => {
      await loaded.promise;
      await route.fulfill({ response: await route.fetch() });
      checked.resolve();
    },
    { times: 1 },
  );
}

test("a declined or abandoned deposit says so and credits nothing [WALL-05]", async ({ newPlayer, database }) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const { page } = ada;
  await openCheckout(page, "5,000");
  await delayWalletLoad(page);
  await page.getByRole("button", { name: "Let the bank decline" }).click();
  const result = page.getByRole("status").filter({ hasText: "Deposit of ₦5,000 not made" });
  await expect(result).toContainText("Your bank or card declined the payment.");
  await expect(findPayment(page)).toContainText("Failed");

  await openCheckout(page, "5000.50");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Deposit of ₦5,000.50 not made" })).toContainText(
    "The payment was not completed.",
  );
  await expect(findPayment(page)).toContainText("Abandoned");
  expect(await database.balance(ada.id)).toBe("0.000000");
});

test("a deposit paid after the checkout was closed is credited live [ENT-13]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 0 });
  const control = await openCheckout(page, "7,500");
  await page.goto("/wallet");
  await expect(findTerm(page, "Deposits on their way")).toContainText("₦7,500");
  const payment = findPayment(page);
  await expect(payment).toContainText("Pending");
  await expect(payment).toContainText("Waiting for your payment.");
  await control.decideCharge(await readReference(payment), "pay");
  await control.settle();
  await expect(payment).toContainText("Completed");
  await expect(findTerm(page, "Deposits on their way")).toContainText("₦0");
  await expect(findBalance(page)).toContainText("24.50");

  // the notification appears on any page
  await openCheckout(page, "5,000");
  await page.goto("/wallet");
  await expect(payment).toContainText("₦5,000");
  const reference = await readReference(payment);
  await page.goto("/matches");
  await expect(page.getByRole("heading", { name: "Matches" })).toBeVisible();
  await control.decideCharge(reference, "pay");
  await control.settle();
  await expect(findToast(page, "Deposit completed")).toContainText("₦5,000");
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("40.84");
});

test("an invalid amount is refused without a request [WALL-02]", async ({ newPlayer, arena }) => {
  const { page, context } = await newPlayer("ada", { hc: 100 });
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  await page.goto("/wallet");
  const field = page.getByLabel("Amount in naira");
  const wrongs: readonly (readonly [string, string])[] = [
    ["", "Minimum deposit amount is ₦5,000"],
    ["4999.99", "Minimum deposit amount is ₦5,000"],
    ["-1", "Minimum deposit amount is ₦5,000"],
    ["NaN", "Minimum deposit amount is ₦5,000"],
    ["1e309", "Minimum deposit amount is ₦5,000"],
    ["5000,00", "Minimum deposit amount is ₦5,000"],
    ["5000.005", "Please enter a valid amount"],
    ["9007199254740993", "Please enter a valid amount"],
  ];
  for (const [text, words] of wrongs) {
    await field.fill(text);
    await page.getByRole("button", { name: /^Deposit/ }).click();
    await expect(field, text).toHaveAccessibleDescription(words);
    await expect(field).toBeFocused();
  }
  await page.getByRole("radio", { name: "Withdraw" }).check();
  await field.fill("4,999.99");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription("Minimum withdrawal amount is ₦5,000");
  expect(asked).toEqual([]);

  // the server refuses it too
  const headers = { origin: arena.url, "content-type": "application/json" };
  for (const kobo of ["-1", "499999", "500000.5", '"500000"', "1e309", "9007199254740993", "null", "true"]) {
    const data = `{"commandId":"${crypto.randomUUID()}","kobo":${kobo},"rateKobo":30600}`;
    const answer = await context.request.post(`${arena.url}/api/deposits`, { data: Buffer.from(data), headers });
    expect(answer.ok(), kobo).toBe(false);
  }
  await page.reload();
  await expect(page.getByText("You have made no deposit or withdrawal yet.")).toBeVisible();
});

test("a withdrawal is shown through success, failure and return after success [WALL-02b]", async ({
  newPlayer,
  arena,
  database,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d.*\/api\/(accounts\/verify|withdrawals)\)/);
  const ada = await newPlayer("ada", { hc: 100 });
  const { page } = ada;
  const control = await openCheckout(page, "5000");
  await control.change({ transferSettlesAfterMs: 0 });
  await page.goto("/wallet");
  const payment = findPayment(page);

  // a player without a verified email cannot withdraw and is told how to verify it
  await askWithdrawal(page, "5000");
  await expect(page.getByRole("alert")).toContainText("Please verify your email address first");
  await page.getByRole("button", { name: "Resend" }).click();
  await page.goto(await readLink(ada, arena));
  await page.getByRole("button", { name: "Verify my email" }).click();
  await page.getByRole("link", { name: "Wallet" }).first().click();

  const dialog = await askWithdrawal(page, "5000");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please verify your account details first");
  await dialog.getByRole("button", { name: "Verify Account" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your account number and select a bank");
  await dialog.getByLabel("Bank", { exact: true }).selectOption({ label: "Zenith Bank" });
  await dialog.getByLabel("Account number").fill("0123459009");
  await dialog.getByRole("button", { name: "Verify Account" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Unable to verify account");
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await dialog.getByLabel("Your password").fill("something else");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toContainText("That is not your password.");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(payment).toContainText("Zenith Bank ••6789");
  await expect(payment).toContainText("Completed", { timeout: 20_000 });
  const paid = await readReference(payment);
  expect(await database.balance(ada.id)).toBe("83.660131");

  // the bank returns it a day later
  await control.decideTransfer(paid, "reversed");
  await control.settle();
  await expect(payment).toContainText("Reversed");
  await expect(payment).toContainText("Your coins are back in your wallet.");
  await expect(findBalance(page)).toContainText("100.00");

  // a known account needs no password
  const again = await askWithdrawal(page, "6,000");
  await expect(again.getByLabel("Pay to")).toHaveValue("0");
  await expect(again.getByLabel("Your password")).toHaveCount(0);
  await control.order({ on: "transfer_outcome", fault: "failed" });
  await again.getByRole("button", { name: "Withdraw ₦6,000" }).click();
  await expect(payment).toContainText("₦6,000");
  await expect(payment).toContainText("Failed to process withdrawal: the bank did not take the payment.", {
    timeout: 20_000,
  });
  await expect(payment).toContainText("Your coins are back in your wallet.");
  await expect(findBalance(page)).toContainText("100.00");
  expect(await database.balance(ada.id)).toBe("100.000000");
});

test("unsettled coins are refused with the time when they settle [WALL-03]", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { hc: 20 });
  const { page } = ada;
  await verifyEmail(ada, arena);
  await deposit(page, "20,000");
  await expect(findTerm(page, "Available for withdrawal")).toContainText("20.00");
  const dialog = await askWithdrawal(page, "7,000");
  await expect(page.getByRole("alert")).toContainText("Balance Not Yet Settled");
  await expect(page.getByRole("alert")).toContainText("Now you can withdraw 20.00 HC");
  await expect(dialog).toHaveCount(0);
  await askWithdrawal(page, "27,000");
  await expect(page.getByRole("alert")).toContainText("Insufficient coins for withdrawal");
  await page.getByRole("button", { name: "All that is available: ₦6,120" }).click();
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,120");
  await page.getByLabel("Amount in naira").press("ArrowUp");
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,220");
  await page.getByLabel("Amount in naira").press("ArrowDown");
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,120");
});

test("winnings from a deposit are withdrawn a day later [ROLE-13]", async ({ newPlayer, arena, database }) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const bola = await newPlayer("bola");
  const { page } = ada;
  await verifyEmail(ada, arena);
  const control = await deposit(page, "20,000");
  await control.change({ transferSettlesAfterMs: 0 });
  const begun = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await page.goto("/wallet");
  await page.waitForURL(/\/game\//);
  await page.getByRole("link", { name: "Holo Arena, home" }).click();
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(findTerm(page, "In play")).toContainText("12.88");
  await begun.robots[1].send({ type: "resign", gameId: begun.gameId });
  closeRobots(begun.robots);
  await expect(findTerm(page, "In play")).toContainText("0.00");
  await expect(findBalance(page)).toContainText("76.47");
  await expect(findTerm(page, "Available for withdrawal")).toContainText("0.00");

  await askWithdrawal(page, "5,000");
  await expect(page.getByRole("alert")).toContainText("Balance Not Yet Settled");
  await arena.advanceTables(DAY_MS);
  await page.reload();
  await expect(findTerm(page, "Available for withdrawal")).toContainText("76.47");
  await page.getByRole("radio", { name: "Withdraw" }).check();
  await page.getByRole("button", { name: "All that is available: ₦23,400.27" }).click();
  await withdraw(page, "23,400.27", "0123456789");
  await expect(findPayment(page)).toContainText("Completed", { timeout: 20_000 });
  await expect(findBalance(page)).toContainText("0.00");
  // less than a kobo remains
  expect(await database.balance(ada.id)).toBe("0.000008");
});

test("the statement lists every entry exactly, by kind, by page and as CSV", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { hc: 100 });
  const { page } = ada;
  await deposit(page, "5,000");
  const statement = page.getByRole("region", { name: "Statement" });
  const rows = statement.getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("Deposit");
  await expect(rows.nth(1)).toContainText("+16.33");
  await expect(rows.nth(1)).toContainText("116.33");

  const robot = await connectRobot(ada, arena.url);
  for (let game = 0; game < 25; game += 1) await robot.cancel(await robot.create("checkers", 1));
  robot.close();
  await expect(rows.nth(1)).toContainText("Paid back");
  await statement.getByRole("button", { name: "Exact figures" }).click();
  await expect(rows.nth(1)).toContainText("+12.888000");
  await expect(rows.nth(1)).toContainText("116.339870");
  await expect(rows).toHaveCount(51);
  await statement.getByRole("button", { name: "Show more" }).click();
  await expect(rows).toHaveCount(53);
  await expect(rows.last()).toContainText("Opening balance");
  await expect(statement.getByRole("button", { name: "Show more" })).toHaveCount(0);

  await statement.getByLabel("Show entries").selectOption("Deposit");
  await expect(rows).toHaveCount(2);
  await statement.getByLabel("Show entries").selectOption("Won");
  await expect(statement).toContainText("There are no such entries.");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    statement.getByRole("link", { name: "CSV" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines).toHaveLength(53);
  expect(lines.at(-2)).toContain("deposit,16.339870,116.339870");

  await statement.getByLabel("Show entries").selectOption("Paid in to play");
  await rows
    .nth(1)
    .getByRole("link", { name: /^Game / })
    .click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f-]{36}$/);
});

test("a visitor sees the exchange rate and is asked to log in [WALL-01]", async ({ newVisitor }) => {
  const page = await newVisitor();
  await page.goto("/");
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(page.getByText(/T\+1 settlement/)).toBeVisible();
  await page.getByRole("button", { name: "₦5,000" }).click();
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await expect(page.getByRole("alert")).toContainText("Please log in to make a deposit");
});

test("an empty wallet and a refused amount are accessible", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 100 });
  await page.goto("/wallet");
  await expect(page.getByText("You have made no deposit or withdrawal yet.")).toBeVisible();
  await expectAccessibleInBothThemes(page, "a wallet without payments");
  await askWithdrawal(page, "1");
  await expectAccessibleInBothThemes(page, "an amount too small, and an e-mail not verified");
});

test("a wallet with open payments is accessible", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada", { hc: 100 });
  const { page } = ada;
  await verifyEmail(ada, arena);
  await deposit(page, "5,000");
  await expectAccessibleInBothThemes(page, "back from the checkout");
  const dialog = await askWithdrawal(page, "5,000");
  await expectAccessibleInBothThemes(page, "where to withdraw to");
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessibleInBothThemes(page, "an account verified, and a withdrawal refused");
});
