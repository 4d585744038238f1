import { readFile } from "node:fs/promises";
import path from "node:path";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Locator, Page } from "@playwright/test";
import { openControl } from "../apps/sandbox/src/testing/sandbox-control.ts";
import { readMails } from "../apps/server/src/platform/testing/test-mail.ts";
import type { ArenaServer } from "./arena-server.ts";
import { expectAccessibleAnyhow } from "./axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "./fixtures.ts";
import { CHECKOUT, deposit, findPayment, nameAccount, openCheckout, readReference } from "./payments.ts";
import { connectRobot } from "./robot.ts";
import { findToast } from "./steps.ts";
import { begin, closeAll, FOUR_PLIES } from "./tables.ts";

test.use({ hasTableClock: true });
// a payment that came back after it had gone through is for somebody to look at
auditAfterwards([/"alert":"transfer_reversed"/]);

function findBalance(page: Page): Locator {
  return page.getByRole("region", { name: "Balance" });
}

/** What a term of the balance stands at. */
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

/** To an account used for the first time. */
async function withdraw(page: Page, amount: string, accountNumber: string): Promise<void> {
  const dialog = await askWithdrawal(page, amount);
  await nameAccount(dialog, accountNumber);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** The newest link mailed to them; the folder is not there before the first mail. */
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

/** Follows the link that is mailed, without the page. */
async function verifyEmail(person: Person, arena: ArenaServer): Promise<void> {
  const { request } = person.context;
  const headers = { origin: arena.url };
  await request.post(`${arena.url}/api/resend-verification`, { data: {}, headers });
  const token = new URL(await readLink(person, arena), arena.url).searchParams.get("token");
  const answer = await request.post(`${arena.url}/api/verify-email`, { data: { token }, headers });
  expect(answer.ok()).toBe(true);
}

test("a deposit that is paid is credited once, and shows at the tables at once [HEAD-05]", async ({ arrive, book }) => {
  const ada = await arrive("ada", { hc: 0 });
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
  // the provider says it again, and the player comes back to the same link
  const { webhooks } = await control.state();
  for (const { id } of webhooks) expect(await control.replay(id)).toBe(200);
  await page.goto(`/wallet?reference=${await readReference(findPayment(page))}`);
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toBeVisible();
  expect(await book.balance(ada.id)).toBe("65.359478");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Deposit completed")).toHaveCount(0);
});

test("a deposit that is declined or left says so, and credits nothing [WALL-05]", async ({ arrive, book }) => {
  const ada = await arrive("ada", { hc: 0 });
  const { page } = ada;
  await openCheckout(page, "5,000");
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
  expect(await book.balance(ada.id)).toBe("0.000000");
});

test("a deposit whose player closes the checkout after paying is credited before their eyes [ENT-13]", async ({
  arrive,
}) => {
  const { page } = await arrive("ada", { hc: 0 });
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

  // and is told of it wherever they went
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

test("nothing is asked of the server for an amount that is none [WALL-02]", async ({
  arrive,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  const { page, context } = await arrive("ada", { hc: 100 });
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

  // what goes past the page is refused as well
  const headers = { origin: arena.url, "content-type": "application/json" };
  for (const kobo of ["-1", "499999", "500000.5", '"500000"', "1e309", "9007199254740993", "null", "true"]) {
    const data = `{"commandId":"${crypto.randomUUID()}","kobo":${kobo},"rateKobo":30600}`;
    const answer = await context.request.post(`${arena.url}/api/deposits`, { data: Buffer.from(data), headers });
    expect(answer.ok(), kobo).toBe(false);
  }
  await page.reload();
  await expect(page.getByText("You have made no deposit or withdrawal yet.")).toBeVisible();
});

test("a withdrawal is followed to its success, to its failure, and to its return after success [WALL-02b]", async ({
  arrive,
  arena,
  book,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4\d\d/);
  const ada = await arrive("ada", { hc: 100 });
  const { page } = ada;
  const control = await openCheckout(page, "5000");
  await control.change({ transferSettlesAfterMs: 0 });
  await page.goto("/wallet");
  const payment = findPayment(page);

  // whose e-mail is not verified cannot take money out, and is told how to verify it
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
  await nameAccount(dialog, "0123456789");
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
  expect(await book.balance(ada.id)).toBe("83.660131");

  // the bank sends it back a day later
  await control.decideTransfer(paid, "reversed");
  await control.settle();
  await expect(payment).toContainText("Reversed");
  await expect(payment).toContainText("Your coins are back in your wallet.");
  await expect(findBalance(page)).toContainText("100.00");

  // the same account again asks for no password
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
  expect(await book.balance(ada.id)).toBe("100.000000");
});

test("coins that have not settled are refused with when they will have [WALL-03]", async ({ arrive, arena }) => {
  const ada = await arrive("ada", { hc: 20 });
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

test("a deposit is made, won with, and the winnings are withdrawn a day later [ROLE-13]", async ({
  arrive,
  arena,
  book,
}) => {
  const ada = await arrive("ada", { hc: 0 });
  const bola = await arrive("bola");
  const { page } = ada;
  await verifyEmail(ada, arena);
  const control = await deposit(page, "20,000");
  await control.change({ transferSettlesAfterMs: 0 });
  const begun = await begin(ada, bola, arena.url, FOUR_PLIES);
  await page.goto("/wallet");
  await page.waitForURL(/\/game\//);
  await page.getByRole("link", { name: "Holo Arena, home" }).click();
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(findTerm(page, "In play")).toContainText("12.88");
  await begun.robots[1].act({ type: "resign", gameId: begun.gameId });
  closeAll(begun.robots);
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
  // what is left is less than a kobo
  expect(await book.balance(ada.id)).toBe("0.000008");
});

test("the statement tells every entry, exactly and by kind, page by page, and as a file", async ({ arrive, arena }) => {
  const ada = await arrive("ada", { hc: 100 });
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

test("a visitor reads the rate and is asked to log in [WALL-01]", async ({ visit }) => {
  const page = await visit();
  await page.goto("/");
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(page.getByText(/T\+1 settlement/)).toBeVisible();
  await page.getByRole("button", { name: "₦5,000" }).click();
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await expect(page.getByRole("alert")).toContainText("Please log in to make a deposit");
});

test("axe finds nothing on a wallet without payments, nor where an amount is refused", async ({ arrive }) => {
  const { page } = await arrive("ada", { hc: 100 });
  await page.goto("/wallet");
  await expect(page.getByText("You have made no deposit or withdrawal yet.")).toBeVisible();
  await expectAccessibleAnyhow(page, "a wallet without payments");
  await askWithdrawal(page, "1");
  await expectAccessibleAnyhow(page, "an amount too small, and an e-mail not verified");
});

test("axe finds nothing on the wallet on the way in and out", async ({ arrive, arena }) => {
  const ada = await arrive("ada", { hc: 100 });
  const { page } = ada;
  await verifyEmail(ada, arena);
  await deposit(page, "5,000");
  await expectAccessibleAnyhow(page, "back from the checkout");
  const dialog = await askWithdrawal(page, "5,000");
  await expectAccessibleAnyhow(page, "where to withdraw to");
  await nameAccount(dialog, "0123456789");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessibleAnyhow(page, "an account verified, and a withdrawal refused");
});
