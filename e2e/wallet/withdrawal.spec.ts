import path from "node:path";
import { DAY_MS } from "@holo/kernel/instant.ts";
import type { Page } from "@playwright/test";
import { readMails } from "../../apps/server/src/platform/testing/test-mail.ts";
import type { ArenaServer } from "../support/arena-server.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import {
  askWithdrawal,
  deposit,
  fillBankAccount,
  findBalance,
  findPayment,
  findTerm,
  openCheckout,
  readReference,
} from "../support/payments.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

// A transfer that comes back or cannot be sent logs an alert for staff. These tests move the clock
// of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards([/"alert":"(transfer_reversed|provider_balance)"/]);

async function withdraw(page: Page, amount: string, accountNumber: string): Promise<void> {
  const dialog = await askWithdrawal(page, amount);
  await fillBankAccount(dialog, accountNumber);
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
}

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

// [WALL-06 §3,4 r11] Every deposit and withdrawal is listed with its status.
// [VALID-24 §5] A withdrawal requires bank, ten digits and the account's verified name: 'Please verify your account
// details first'.
// [ERR-29 §8 r9] A failed withdrawal shows 'Failed to process withdrawal:' with the reason, and where its coins are.
// [ERR-31 §8] Successes in the wallet show 'Account verified successfully' and 'Withdrawal request submitted
// successfully'.
test("a withdrawal is shown through success, failure and return after success [WALL-02 WALL-06 VALID-24 ERR-29 ERR-31]", async ({
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

  await askWithdrawal(page, "5000");
  await expect(page.getByRole("alert")).toContainText("Please verify your email address first");
  await page.getByRole("button", { name: "Resend" }).click();
  await page.goto(await readLink(ada, arena));
  await page.getByRole("button", { name: "Verify my email" }).click();
  await expect(page.getByText("Your email is verified")).toBeVisible();
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
  await expect(dialog.getByRole("alert")).toContainText("Wrong password.");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  const mayLoad = Promise.withResolvers<void>();
  await page.route("**/api/wallet", async (route) => {
    await mayLoad.promise;
    await route.continue();
  });
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(payment).toContainText("Zenith Bank ••6789");
  await expect(payment).toContainText("Completed");
  const paid = await readReference(payment);
  expect(await database.balance(ada.id)).toBe("83.660131");

  await control.decideTransfer(paid, "reversed");
  await control.settle();
  await expect(payment).toContainText("Reversed");
  await expect(payment).toContainText("Your coins are back in your wallet.");
  await expect(findBalance(page)).toContainText("100.00");

  const again = await askWithdrawal(page, "6,000");
  await expect(again.getByLabel("Account number")).toBeVisible();
  mayLoad.resolve();
  await expect(again.getByLabel("Pay to")).toHaveValue("0");
  await expect(again.getByLabel("Your password")).toHaveCount(0);
  await control.order({ on: "transfer_outcome", fault: "failed" });
  await again.getByRole("button", { name: "Withdraw ₦6,000" }).click();
  await expect(payment).toContainText("₦6,000");
  await expect(payment).toContainText("Failed to process withdrawal: the bank did not take the payment.");
  await expect(payment).toContainText("Your coins are back in your wallet.");
  await expect(findBalance(page)).toContainText("100.00");
  expect(await database.balance(ada.id)).toBe("100.000000");

  await control.order({ on: "transfer", fault: "insufficient_balance" });
  const waiting = await askWithdrawal(page, "6,000");
  await waiting.getByRole("button", { name: "Withdraw ₦6,000" }).click();
  await payment.getByRole("button", { name: "Cancel withdrawal" }).click();
  await expect(payment).toContainText("You cancelled this withdrawal. Your coins are back in your wallet.");
  await expect(payment).toContainText("Cancelled");
  await expect(findBalance(page)).toContainText("100.00");
});

// [WALL-03 §2,9] The arrow keys change the amount by ₦100.
// [WALL-21 §2 r7] No figure is shown for an amount that is refused: not what would be received, paid or taken.
// [VALID-23 §5 r8] Withdrawing more than the balance is refused: 'Insufficient coins for withdrawal'.
test("unsettled coins are refused with the time when they settle [WALL-03 WALL-21 VALID-23]", async ({ newPlayer }) => {
  const ada = await newPlayer("ada", { hc: 20, isVerified: true });
  const { page } = ada;
  await deposit(page, "20,000");
  await expectAccessible(page, "back from the checkout");
  await expect(findTerm(page, "Available for withdrawal")).toContainText("20.00");
  const dialog = await askWithdrawal(page, "5,000");
  await expectAccessible(page, "where to withdraw to");
  const number = dialog.getByLabel("Account number");
  await number.fill("12345678901");
  await expect(number).toHaveAccessibleDescription("An account number has 10 digits. This has 11.");
  await number.fill("+234 803 123 4567");
  await expect(number).toHaveAccessibleDescription(/Is this a phone number\?/);
  await dialog.getByRole("button", { name: "Use 8031234567" }).click();
  await expect(number).toHaveValue("8031234567");
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByRole("button", { name: /^Withdraw ₦/ }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await expectAccessible(page, "an account verified, and a withdrawal refused");
  await page.keyboard.press("Escape");
  await askWithdrawal(page, "7,000");
  await expect(page.getByRole("alert")).toContainText("Balance Not Yet Settled");
  await expect(page.getByRole("alert")).toContainText("You can withdraw 20.00 HC now");
  await expect(dialog).toHaveCount(0);
  await askWithdrawal(page, "27,000");
  await expect(page.getByRole("alert")).toContainText("Insufficient coins for withdrawal");
  await expect(page.locator(".payment-sum")).toHaveText("From your balance–");
  await page.getByRole("button", { name: "Withdraw all: ₦6,120" }).click();
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,120");
  await page.getByLabel("Amount in naira").press("ArrowUp");
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,220");
  await page.getByLabel("Amount in naira").press("ArrowDown");
  await expect(page.getByLabel("Amount in naira")).toHaveValue("6,120");
});

// [ROLE-13 §6 r18,19] Players chat, resign, offer and answer draws, takebacks and rematches, deposit and withdraw.
// [CONST-06 §9 r8] Deposits and winnings settle after 24 hours.
test("winnings from a deposit are withdrawn a day later [ROLE-13 CONST-06 VALID-36]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada", { hc: 0, isVerified: true });
  const bola = await addPlayer("bola");
  const { page } = ada;
  const control = await deposit(page, "20,000");
  await control.change({ transferSettlesAfterMs: 0 });
  const begun = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await page.getByRole("link", { name: "Holo Arena, home" }).click();
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(findTerm(page, "In play")).toContainText("12.89");
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
  await page.getByRole("button", { name: "Withdraw all: ₦23,400.27" }).click();
  // 12.88 of the deposit's 65.36 HC were staked: the others bear their share of ₦400 and of ₦25.
  await expect(page.getByText("You receive after fees")).toBeVisible();
  const dialog = await askWithdrawal(page, "23,400.27");
  await expect(dialog).toContainText("From your balance76.47 HC");
  await expect(dialog).toContainText("Withdrawal fee−₦338.27 (1.10 HC)");
  await expect(dialog).toContainText("You receive₦23,062");
  await expect(dialog).toContainText("You never played with 52.47 HC of this.");
  await page.keyboard.press("Escape");
  await withdraw(page, "23,400.27", "0123456789");
  await expect(findPayment(page)).toContainText("Completed");
  await expect(findBalance(page)).toContainText("0.00");
  expect(await database.balance(ada.id)).toBe("0.000008");
});

// [WALL-26 §6 r51] Before the first withdrawal of unplayed coins from a card is confirmed, the dialog says that it takes
// three days and offers to send the money back to the card at once. Each shows what arrives and its fees.
test("unplayed coins from a card wait three days, or go back to the card now [WALL-26]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada", { hc: 0, isVerified: true });
  const { page } = ada;
  const control = await deposit(page, "20,000", /By card/);
  await control.change({ transferSettlesAfterMs: 0 });
  await arena.advanceTables(DAY_MS);
  await page.goto("/wallet");
  await expect(findTerm(page, "Available for withdrawal")).toContainText("65.35");
  const dialog = await askWithdrawal(page, "6,000");
  await expect(dialog.getByRole("radio", { name: "Bank, in 3 days" })).toBeChecked();
  await expect(dialog).toContainText(
    "This one takes 3 days. You paid for 19.60 HC of it by card and never played with them.",
  );
  await expect(dialog).toContainText("You can cancel it while it waits. Don't want to wait?");
  await expect(dialog).toContainText("You receive₦5,855");
  await expectAccessible(page, "a withdrawal that waits, and a refund beside it");
  await fillBankAccount(dialog, "0123456789");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Withdraw ₦5,855" }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toContainText("We send it in 3 days.");
  const payment = findPayment(page);
  await expect(payment).toContainText("Pending");
  await expect(payment).toContainText("Your first withdrawal of coins you never played waits three days.");
  await payment.getByRole("button", { name: "Cancel withdrawal" }).click();
  await expect(payment).toContainText("You cancelled this withdrawal.");

  const asked = await askWithdrawal(page, "6,000");
  await asked.getByRole("radio", { name: "Card, now" }).check();
  const again = page.getByRole("dialog", { name: "Back to your card" });
  await expect(again).toContainText("From your balance65.35 HC");
  await expect(again).toContainText("Deposit fee−₦400");
  await expect(again).toContainText("Back to your card₦19,600");
  await expect(again.getByLabel("Account number")).toHaveCount(0);
  await expectAccessible(page, "a refund to the card");
  await again.getByRole("button", { name: "Refund ₦19,600" }).click();
  await expect(findToast(page, "Refund on its way to your card")).toBeVisible();
  await expect(again).toBeHidden();
  await expect(findBalance(page)).toContainText("0.00");
  await expect(page.getByRole("region", { name: "Deposits and withdrawals" })).toContainText(
    "Your payment goes back to you.",
  );
  expect(await database.balance(ada.id)).toBe("0.000000");
  const { refunds } = await control.state();
  expect(refunds.map(({ amount }) => amount)).toEqual([1_960_000]);
});
