import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import type { SandboxControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import { expectAccessibleInBothThemes } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import { fillBankAccount, findPayment, openCheckout, readReference } from "../support/payments.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

// mismatched payments log alerts for staff, and a new exchange rate affects all players
test.use({ ownServer: "house" });
auditAfterwards([
  /"alert":"(deposit_(differs|disputed|reversed|reversed_again)|transfer_reversed|coins_of_who_left)"/,
  /the provider and we differ/,
]);

const PAGE = "/admin/revenue";

async function openRevenue({ page }: Person): Promise<void> {
  await page.goto(PAGE);
  await expect(page.getByRole("heading", { name: "Revenue", exact: true })).toBeVisible();
}

async function expectDenied(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Admin" })).toHaveCount(0);
}

function findPart(page: Page, name: string): Locator {
  return page.getByRole("region", { name, exact: true });
}

/** Plays a game of checkers for 10 HC a piece. White resigns after two moves of each player. */
async function playGame(white: Person, black: Person, url: string): Promise<void> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create("checkers", 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
}

async function payWrongly({ page }: Person, asked: string, paidKobo: number): Promise<void> {
  const control = await openCheckout(page, asked);
  await page.goto("/wallet");
  const payment = findPayment(page);
  await control.decideCharge(await readReference(payment), "success", { amount: paidKobo });
  await control.settle();
  await expect(payment).toContainText("In review");
}

test("visitors and players have no access and no link to it [HEAD-02]", async ({ newPlayer, newVisitor }) => {
  const visitor = await newVisitor();
  await visitor.goto(PAGE);
  await expectDenied(visitor);
  const ada = await newPlayer("ada", { isVerified: true });
  await ada.page.goto("/");
  await expect(ada.page.getByRole("link", { name: "Wallet" }).first()).toBeVisible();
  await expect(ada.page.getByRole("link", { name: "Admin" })).toHaveCount(0);
  await ada.page.goto(PAGE);
  await expectDenied(ada.page);
});

test("an added admin gets the page without the CEO's actions, a removed one is denied at once [HEAD-02b]", async ({
  newPlayer,
  newOwner,
  expectedErrors,
}) => {
  const owner = await newOwner();
  const amaka = await newPlayer("amaka", { hc: 0, isVerified: true });
  expectedErrors.push(
    { page: owner.page, pattern: /status of 409.*\/api\/admin\/admins\)/ },
    // requests under way when she is removed
    { page: amaka.page, pattern: /status of 403.*\/api\/admin\// },
  );
  await amaka.page.goto(PAGE);
  await expectDenied(amaka.page);

  await owner.page.goto("/");
  await owner.page.getByRole("link", { name: "Admin" }).click();
  const list = findPart(owner.page, "Admin Management");
  await expect(list.getByRole("listitem").first()).toHaveText(`${owner.email}CEO`);
  const field = list.getByLabel("Admin's email");
  for (const wrong of ["", "amaka.example.com"]) {
    await field.fill(wrong);
    await list.getByRole("button", { name: "Add Admin" }).click();
    await expect(field).toHaveAccessibleDescription("Please enter a valid email");
  }
  await field.fill(owner.email);
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(findToast(owner.page, "Failed to add admin email")).toBeVisible();
  await field.fill(amaka.email);
  await list.getByRole("button", { name: "Add Admin" }).click();
  await expect(list.getByRole("listitem").nth(1)).toContainText(amaka.username);
  await field.fill("nobody@example.com");
  await field.press("Enter");
  await expect(list.getByRole("listitem").nth(2)).toContainText("Nobody has registered with it yet");

  await expect(amaka.page.getByRole("heading", { name: "Revenue", exact: true })).toBeVisible();
  await expect(amaka.page.getByRole("link", { name: "Admin" })).toBeVisible();
  await expect(findPart(amaka.page, "Admin Management").getByRole("listitem").nth(1)).toContainText("You");
  await expect(findPart(amaka.page, "What players are owed")).toBeVisible();
  for (const part of ["Admin Wallet", "Settings"]) await expect(findPart(amaka.page, part)).toHaveCount(0);

  // on phones the link is in the menu
  await amaka.page.setViewportSize({ width: 390, height: 844 });
  await amaka.page.getByRole("button", { name: "Menu" }).click();
  const menu = amaka.page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("link", { name: "Admin" })).toBeVisible();
  await menu.getByRole("button", { name: "Close" }).click();

  await list.getByRole("button", { name: `Remove ${amaka.email}` }).click();
  const dialog = owner.page.getByRole("dialog", { name: "Remove Admin?" });
  await expectAccessibleInBothThemes(owner.page, "an admin is to be removed");
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expectDenied(amaka.page);
});

test("a mismatched payment is credited or refunded by any admin but its own player [ENT-13c]", async ({
  newPlayer,
  newOwner,
}) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const bola = await newPlayer("bola", { hc: 0 });
  const owner = await newOwner();
  await payWrongly(ada, "5,000", 400_000);
  await payWrongly(bola, "6,000", 700_000);
  await payWrongly(owner, "7,000", 100_000);
  await openRevenue(owner);
  const held = findPart(owner.page, "Held for review");
  await expect(held).toContainText("3 to look at");
  const findRow = ({ username }: Person) => held.getByRole("listitem").filter({ hasText: username });
  await expect(findRow(owner)).toContainText("This concerns you. Somebody else has to decide it.");
  await expect(findRow(owner).getByRole("button")).toHaveCount(0);
  await expect(findRow(ada)).toContainText("Asked for₦5,000Arrived₦4,000");

  await findRow(ada).getByRole("button", { name: "Credit what arrived" }).click();
  const credit = owner.page.getByRole("dialog", { name: "Credit What Arrived?" });
  await expect(credit).toContainText("The player gets13.07 HC");
  await credit.getByRole("button", { name: "Credit" }).click();
  await expect(credit.getByLabel("Reason")).toHaveAccessibleDescription("Please write down why.");
  await expectAccessibleInBothThemes(owner.page, "a review is to be ended");
  await credit.getByLabel("Reason").fill("Her bank kept the rest.");
  await credit.getByRole("button", { name: "Credit" }).click();
  await expect(findToast(owner.page, "Credited")).toBeVisible();
  await expect(findPayment(ada.page)).toContainText("Completed");
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("13.07");

  await findRow(bola).getByRole("button", { name: "Refund" }).click();
  const refund = owner.page.getByRole("dialog", { name: "Refund the Payment?" });
  await expect(refund).toContainText("Goes back₦7,000");
  await refund.getByLabel("Reason").fill("He asked for it.");
  await refund.getByRole("button", { name: "Refund" }).click();
  await expect(findToast(owner.page, "Refund ordered")).toBeVisible();
  await expect(findPayment(bola.page)).toContainText("Reversed");
  await expect(held.getByRole("listitem")).toHaveCount(1);

  await findPart(owner.page, "Compared with the provider").getByRole("button", { name: "Compare now" }).click();
  await expect(findPart(owner.page, "Compared with the provider")).toContainText("Another amount");
  await owner.page.getByRole("button", { name: "Log of acts" }).click();
  const acts = findPart(owner.page, "Log of acts").getByRole("listitem");
  await expect(acts.filter({ hasText: "Payment credited" })).toContainText("Her bank kept the rest.");
  await expect(acts.filter({ hasText: "Payment refunded" })).toContainText("He asked for it.");
  await expectAccessibleInBothThemes(owner.page, "a review, a difference and acts");
});

/** Closes and deletes an account whose last withdrawal the bank returns afterwards. */
async function leaveForGood({ page }: Person, control: SandboxControl): Promise<void> {
  await page.goto("/wallet");
  const headers = { origin: new URL(page.url()).origin };
  const ask = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/${path}`, { data, headers });
    expect(answer.status(), path).toBe(200);
    return await answer.json();
  };
  const account = { accountNumber: "0123456789", bankCode: "057" };
  await ask("accounts/verify", account);
  const { kobo } = await (await page.request.get("/api/closing")).json();
  await ask("closing", { commandId: randomUUID(), kobo, account, password: PASSWORD });
  await expect(findPayment(page)).toContainText("Completed");
  const reference = await readReference(findPayment(page));
  await ask("account/delete", { password: PASSWORD });
  await control.decideTransfer(reference, "reversed");
  await control.settle();
}

test("a reversed deposit is booked, and coins of a deleted account are paid out [ADMIN-08]", async ({
  newPlayer,
  newOwner,
  database,
  expectedErrors,
}) => {
  const ada = await newPlayer("ada", { hc: 7, isVerified: true });
  // the page of the deleted account may still request its wallet
  expectedErrors.push({ page: ada.page, pattern: /status of 401/ });
  const bola = await newPlayer("bola", { hc: 0 });
  const owner = await newOwner();
  const control = await openCheckout(bola.page, "5,000");
  await bola.page.goto("/wallet");
  const payment = findPayment(bola.page);
  const reference = await readReference(payment);
  // The last report is about a charge that the payer's bank had reversed before.
  for (const [outcome, status] of [
    ["success", "Completed"],
    ["disputed", "In review"],
    ["reversed", "Reversed"],
    ["dispute_declined", "Completed"],
    ["reversed", "In review"],
  ] as const) {
    await control.decideCharge(reference, outcome);
    await control.settle();
    await expect(payment).toContainText(status);
  }
  await leaveForGood(ada, control);

  await openRevenue(owner);
  const held = findPart(owner.page, "Held for review");
  await expect(held).toContainText("to look at");
  const gone = held.getByRole("listitem").filter({ hasText: bola.username });
  await expect(gone).toContainText("Credited₦5,000Gone back₦5,000");
  await gone.getByRole("button", { name: "Take the coins back" }).click();
  const take = owner.page.getByRole("dialog", { name: "Take the Coins Back?" });
  await expect(take).toContainText("From the wallet16.33 HCOwed from now on0.00 HCThe player gives16.33 HC");
  await expectAccessibleInBothThemes(owner.page, "what went back is to be booked");
  await take.getByLabel("Reason").fill("Her bank took it once more.");
  await take.getByRole("button", { name: "Take Back" }).click();
  await expect(findToast(owner.page, "Taken back")).toBeVisible();
  await expect(payment).toContainText("Reversed");
  await expect(payment).toContainText("₦5,000 of this payment went back to you, and its coins were taken back.");

  const left = held.getByRole("listitem").filter({ hasText: "Coins of gone-" });
  await expect(left).toContainText("In the wallet7.00 HCTo be sent₦2,142");
  await left.getByRole("button", { name: "Send them on" }).click();
  const send = owner.page.getByRole("dialog", { name: "Send Their Coins On?" });
  await send.getByLabel("Where to").selectOption({ label: "Another account" });
  await expect(send.getByLabel("Account number")).toBeVisible();
  await expectAccessibleInBothThemes(owner.page, "coins of who left are to be sent");
  await send.getByLabel("Where to").selectOption({ label: "Where they were paid last (Zenith Bank)" });
  await send.getByLabel("Reason").fill("Their bank sent it back.");
  await send.getByRole("button", { name: "Send" }).click();
  await expect(findToast(owner.page, "On its way")).toBeVisible();
  await expect(left).toHaveCount(0);
  await expect(gone).toHaveCount(0);
  expect([await database.balance(ada.id), await database.balance(bola.id)]).toEqual(["0.000000", "0.000000"]);
});

test("the CEO sees the revenue of games and withdraws it [ADMIN-01]", async ({
  newPlayer,
  newOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 422.*\/api\/admin\/revenue\)/);
  const owner = await newOwner();
  const { page } = owner;
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
  for (const wrong of ["", "-1", "0", "1e3"]) {
    await amount.fill(wrong);
    await send.click();
    await expect(amount, wrong).toHaveAccessibleDescription("Invalid withdrawal amount");
  }
  await amount.fill("1");
  await send.click();
  await expect(amount).toHaveAccessibleDescription("Withdrawal amount exceeds completed games revenue");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await playGame(await newPlayer("ada"), await newPlayer("bola"), arena.url);
  // 2 x 12 pieces x 10 HC x 7.4 %
  await expect(findPart(page, "Completed-games revenue")).toContainText("17.76 HC");
  await expect(findPart(page, "Completed-games revenue")).toContainText("₦5,434.56");
  await expect(findPart(page, "Total games")).toContainText("1 completed, 0 active, 0 pending");
  const now = findPart(page, "Right now");
  await expect(now).toContainText("Games playing00 waiting");
  await expect(now).toContainText(/99 of 100 moves within[\d.]+ m?s/);
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
  await expect(dialog.getByRole("alert")).toContainText("That is not your password.");
  await expectAccessibleInBothThemes(page, "a withdrawal of revenue refused");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Withdraw ₦1,000" }).click();
  await expect(findToast(page, "Withdrawal request submitted successfully")).toBeVisible();
  await expect(dialog).toBeHidden();
  const payment = wallet.getByRole("listitem").first();
  await expect(payment).toContainText("Zenith Bank ••6789");
  await expect(payment).toContainText("Completed", { timeout: 20_000 });
  await expect(wallet).toContainText("Withdrawn−3.27 HC");
});

test("a new exchange rate is previewed and then applies to every wallet [WHAT-03]", async ({ newPlayer, newOwner }) => {
  const ada = await newPlayer("ada", { hc: 100 });
  await ada.page.goto("/wallet");
  await expect(ada.page.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("₦30,600");
  const owner = await newOwner();
  const { page } = owner;
  await openRevenue(owner);
  await page.getByRole("button", { name: "Settings" }).click();
  const settings = findPart(page, "Settings");
  await settings.getByRole("button", { name: "Show the effect" }).click();
  await expect(settings.getByLabel("Naira for one holocoin")).toHaveAccessibleDescription("That is what holds already");
  await settings.getByLabel("Naira for one holocoin").fill("316.50");
  await settings.getByLabel("Platform fee in percent").fill("8");
  await settings.getByRole("button", { name: "Show the effect" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Settings?" });
  await expect(dialog).toContainText("₦306 → ₦316.50");
  await expect(dialog).toContainText("7.4% → 8%");
  await expect(dialog).toContainText(/₦[\d,.]+ more/);
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Please enter your password.");
  await expectAccessibleInBothThemes(page, "settings are to be changed");
  await dialog.getByLabel("Your password").fill(PASSWORD);
  await dialog.getByRole("button", { name: "Change" }).click();
  await expect(settings.getByRole("row").nth(1)).toContainText("owner₦316.508%");
  await expectAccessibleInBothThemes(page, "settings changed");

  await expect(ada.page.getByText("1 Holocoin = ₦316.50")).toBeVisible();
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("₦31,650");
});
