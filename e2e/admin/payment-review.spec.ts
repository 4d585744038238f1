import { randomUUID } from "node:crypto";
import type { SandboxControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import { findPart, openRevenue } from "../support/admin.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import { fillBankAccount, findPayment, openCheckout, readReference } from "../support/payments.ts";
import { dismissToasts, findToast } from "../support/steps.ts";

test.use({ ownServer: "platform" });

// Mismatched payments log alerts for staff.
auditAfterwards([
  /"alert":"(amount_differs|money_left|deposit_(disputed|reversed)|transfer_reversed|orphaned_balance)"/,
  /our payments differ from the provider's/,
]);

async function payWrongly({ page }: Person, asked: string, paidKobo: number): Promise<void> {
  const control = await openCheckout(page, asked);
  await page.goto("/wallet");
  const payment = findPayment(page);
  await control.decideCharge(await readReference(payment), "success", { amount: paidKobo });
  await control.settle();
  await expect(payment).toContainText("In review");
}

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
  const { kobo, feeKobo } = await (await page.request.get("/api/closing")).json();
  await ask("closing", { commandId: randomUUID(), kobo, feeKobo, account, password: PASSWORD });
  await expect(findPayment(page)).toContainText("Completed");
  const reference = await readReference(findPayment(page));
  await ask("account/delete", { password: PASSWORD });
  await control.decideTransfer(reference, "reversed");
  await control.settle();
}

// [ADMIN-40 §2 r9] A correction is refused if a fact came since its figures were shown. The page then shows the new
// ones. So does the dialog for the coins of a deleted account.
test("a mismatched payment is credited or refunded by any admin but its own player [ENT-13 ADMIN-12 ADMIN-40]", async ({
  newPlayer,
  newOwner,
  database,
  expectedErrors,
}) => {
  test.slow();
  expectedErrors.push(/status of 409.*\/api\/admin\/payments\/correct/);
  const ada = await newPlayer("ada", { hc: 0 });
  const bola = await newPlayer("bola", { hc: 0 });
  const owner = await newOwner();
  await payWrongly(ada, "5,000", 400_000);
  await payWrongly(bola, "6,000", 700_000);
  await payWrongly(owner, "7,000", 100_000);
  // As of a moment before the last kobo arrived. A route that is removed meanwhile cannot answer.
  let isEarlier = true;
  await owner.page.route("**/api/admin/payments", async (route) => {
    if (!isEarlier) return await route.continue();
    const response = await route.fetch();
    const text = (await response.text()).replaceAll(/"lastFact":(\d+)/g, '"lastFact":0');
    await route.fulfill({ response, body: text });
  });
  await openRevenue(owner);
  const held = findPart(owner.page, "Payments with staff");
  await expect(held).toContainText("3 to look at");
  const findRow = ({ username }: Person) => held.getByRole("listitem").filter({ hasText: username });
  await expect(findRow(owner)).toContainText("This is about you. Someone else has to decide it.");
  await expect(findRow(owner).getByRole("button")).toHaveCount(0);
  await expect(findRow(ada)).toContainText("Ordered₦5,000Not given out₦4,000");
  await expect(findRow(ada)).toContainText("What arrived isn't what was asked for.");
  await findRow(ada)
    .getByText(/facts$/)
    .click();
  await expect(findRow(ada)).toContainText("Provider: another amount was paid, ₦4,000 arrived");

  await findRow(ada).getByRole("button", { name: "Credit" }).click();
  const credit = owner.page.getByRole("dialog", { name: "Credit the Player?" });
  isEarlier = false;
  await credit.getByLabel("Reason").fill("Her bank kept the rest.");
  await credit.getByRole("button", { name: "Credit" }).click();
  await expect(credit.getByRole("alert")).toContainText("The provider reported something new about this payment.");
  await credit.getByLabel("Reason").fill("");
  await credit.getByRole("button", { name: "Credit" }).click();
  await expect(credit.getByLabel("Reason")).toHaveAccessibleDescription("Please write the reason.");
  await expect(credit.getByLabel("Reason")).toBeFocused();
  await expectAccessible(owner.page, "a correction is to be made");
  await credit.getByLabel("Reason").fill("Her bank kept the rest.");
  await credit.getByRole("button", { name: "Credit" }).click();
  await expect(findToast(owner.page, "Credited")).toBeVisible();
  await expect(findPayment(ada.page)).toContainText("Completed");
  await expect(ada.page.getByRole("region", { name: "Balance" })).toContainText("13.07");

  await findRow(bola).getByRole("button", { name: "Refund" }).click();
  const refund = owner.page.getByRole("dialog", { name: "Refund the Payer?" });
  await expect(refund).toContainText("Refund₦7,000");
  await refund.getByLabel("Reason").fill("He asked for it.");
  await refund.getByRole("button", { name: "Refund" }).click();
  await expect(findToast(owner.page, "Refund ordered")).toBeVisible();
  await expect(findPayment(bola.page)).toContainText("Reversed");
  await expect(findRow(bola)).toHaveCount(0);

  await findPart(owner.page, "Compared with the provider").getByRole("button", { name: "Compare now" }).click();
  await database.holdPayouts();
  const comparison = findPart(owner.page, "Compared with the provider");
  await owner.page.reload();
  await expect(comparison).toContainText("All withdrawals wait. A backup was restored");
  await comparison.getByRole("button", { name: "Release withdrawals" }).click();
  const release = owner.page.getByRole("dialog", { name: "Send Withdrawals Again?" });
  await expectAccessible(owner.page, "all withdrawals wait");
  await release.getByLabel("What you found").fill("The provider sent nothing since.");
  await release.getByRole("button", { name: "Release" }).click();
  await expect(findToast(owner.page, "Withdrawals released")).toBeVisible();
  await expect(comparison).not.toContainText("All withdrawals wait");
  await owner.page.getByRole("button", { name: "Activity log" }).click();
  const acts = findPart(owner.page, "Activity log").getByRole("listitem");
  await expect(acts.filter({ hasText: "Her bank kept the rest." })).toContainText("Her bank kept the rest.");
  await expect(acts.filter({ hasText: "He asked for it." })).toContainText("He asked for it.");
  await expect(acts.filter({ hasText: "All withdrawals released" })).toContainText("The provider sent nothing since.");
  await expectAccessible(owner.page, "a review, a difference and acts");
});

// [ADMIN-08 §2,6 r9] The page lists what staff have to resolve: payments with money that was given to no one or paid
// by no one, open disputes with their deadline, outgoing money that waits, coins of deleted players.
test("a dispute is answered, money that came back is credited, and coins of a deleted account are paid out [ADMIN-08 ADMIN-09 ADMIN-40]", async ({
  newPlayer,
  newOwner,
  database,
  expectedErrors,
}) => {
  const ada = await newPlayer("ada", { hc: 7, isVerified: true });
  // the page of the deleted account may still request its wallet
  expectedErrors.push(
    { page: ada.page, pattern: /status of 401/ },
    /status of 4(09|22).*\/api\/admin\/orphaned-balances/,
  );
  const bola = await newPlayer("bola", { hc: 0 });
  const owner = await newOwner();
  const control = await openCheckout(bola.page, "5,000");
  await bola.page.goto("/wallet");
  const payment = findPayment(bola.page);
  const reference = await readReference(payment);
  const home = await bola.context.newPage();
  await home.goto("/");
  for (const [outcome, status, mayStake] of [
    ["success", "Completed", true],
    ["disputed", "In review", false],
    ["reversed", "Reversed", true],
    ["dispute_declined", "In review", true],
  ] as const) {
    await control.decideCharge(reference, outcome);
    await control.settle();
    await expect(payment).toContainText(status);
    await expect(home.getByText("Your bank disputes one of your deposits.")).toHaveCount(mayStake ? 0 : 1);
    // Free games stay open.
    await expect(home.getByRole("link", { name: "Create a Match" })).toHaveCount(1);
  }
  await leaveForGood(ada, control);

  // As of a moment before the exchange rate changed, until that is refused.
  let isEarlier = true;
  owner.page.on("response", (response) => {
    if (response.url().endsWith("/api/admin/orphaned-balances") && response.status() === 409) isEarlier = false;
  });
  await owner.page.route("**/api/admin/payments", async (route) => {
    if (!isEarlier) return await route.continue();
    const response = await route.fetch();
    const text = (await response.text()).replaceAll('"kobo":214200', '"kobo":214100');
    await route.fulfill({ response, body: text });
  });
  await openRevenue(owner);
  const held = findPart(owner.page, "Payments with staff");
  await expect(held).toContainText("to look at");
  const gone = held.getByRole("listitem").filter({ hasText: bola.username });
  await expect(gone).toContainText("Not given out₦5,000");
  await gone.getByRole("button", { name: "Credit" }).click();
  const give = owner.page.getByRole("dialog", { name: "Credit the Player?" });
  await expectAccessible(owner.page, "what came back is to be credited");
  await give.getByLabel("Reason").fill("Her bank gave it back.");
  await give.getByRole("button", { name: "Credit" }).click();
  await expect(findToast(owner.page, "Credited")).toBeVisible();
  await expect(payment).toContainText("Completed");

  await dismissToasts(owner.page);
  const left = held.getByRole("listitem").filter({ hasText: "Coins of gone-" });
  await expect(left).toContainText("In the wallet7.00 HCTo be sent₦2,141");
  await left.getByRole("button", { name: "Send them on" }).click();
  const send = owner.page.getByRole("dialog", { name: "Send Their Coins On?" });
  await send.getByLabel("Where to").selectOption({ label: "Another account" });
  await expect(send.getByLabel("Account number")).toBeVisible();
  await expectAccessible(owner.page, "coins of closed accounts to send");
  await send.getByLabel("Reason").fill("Their bank sent it back.");
  await send.getByRole("button", { name: "Send" }).click();
  await expect(send.getByRole("alert")).toContainText("Please verify your account details first");
  await fillBankAccount(send, "0123456789");
  for (const [wrong, text] of [
    ["", "Please enter your password."],
    ["something else", "Wrong password."],
  ] as const) {
    await send.getByLabel("Your password").fill(wrong);
    await send.getByRole("button", { name: "Send" }).click();
    await expect(send.getByLabel("Your password")).toHaveAccessibleDescription(text);
    await expect(send.getByLabel("Your password")).toBeFocused();
  }
  await send.getByLabel("Where to").selectOption({ label: "Last paid account (Zenith Bank)" });
  await send.getByRole("button", { name: "Send" }).click();
  await expect(send.getByRole("alert")).toContainText("These figures have changed.");
  await expect(send).toContainText("Sent₦2,142");
  await expect(send.getByLabel("Reason")).toHaveValue("Their bank sent it back.");
  await send.getByRole("button", { name: "Send" }).click();
  await expect(findToast(owner.page, "On its way")).toBeVisible();
  await expect(left).toHaveCount(0);
  await expect(gone).toHaveCount(0);
  expect([await database.balance(ada.id), await database.balance(bola.id)]).toEqual(["0.000000", "16.339870"]);
});
