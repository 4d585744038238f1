import type { Page } from "@playwright/test";
import { openControl } from "../../apps/sandbox/src/testing/sandbox-control.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { CHECKOUT, findBalance, findPayment, findTerm, openCheckout, readReference } from "../support/payments.ts";
import { findToast } from "../support/steps.ts";

auditAfterwards();

/**
 * The next load of the wallet reads the payments before the deposit is checked and answers after.
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

// [HEAD-05 §2,7 r2] The balance in the header updates when coins move, without a reload.
// [WALL-01 §2 r8] The wallet shows the balance, the amount available for withdrawal, the exchange rate and that
// deposits settle after a day (T+1).
test("a paid deposit is credited once and shows at the tables at once [HEAD-05 WALL-01]", async ({
  newPlayer,
  database,
}) => {
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
  await expect(findTerm(page, "Ready after 24 hours")).toContainText("65.35");
  await expect(findPayment(page)).toContainText("Completed");
  const { webhooks } = await control.state();
  for (const { id } of webhooks) expect(await control.replay(id)).toBe(200);
  await page.goto(`/wallet?reference=${await readReference(findPayment(page))}`);
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toBeVisible();
  expect(await database.balance(ada.id)).toBe("65.359478");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText("Deposit completed")).toHaveCount(0);
});

test("instants are the server's on a device whose clock is three hours ahead [CLOCK-13]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 0 });
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 3 * 60 * 60_000;
  });
  await openCheckout(page, "5,000");
  await page.goto("/wallet");
  await expect(findPayment(page)).toContainText("just now");
  await expect(findPayment(page)).toContainText("1 HC costs ₦306 until");
});

// [WALL-05 §7 r9] A deposit opens the provider's page and returns to the result.
test("a declined or abandoned deposit says so and credits nothing; an abandoned one can be continued [WALL-05 WALL-06]", async ({
  newPlayer,
  database,
}) => {
  const ada = await newPlayer("ada", { hc: 0 });
  const { page } = ada;
  await openCheckout(page, "5,000");
  await delayWalletLoad(page);
  await page.getByRole("button", { name: "Let the bank decline" }).click();
  const result = page.getByRole("status").filter({ hasText: "Deposit of ₦5,000 not made" });
  await expect(result).toContainText("Your bank or card declined the payment.");
  await expect(findPayment(page)).toContainText("Failed");

  await openCheckout(page, "5000.50");
  const checkout = page.url();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Deposit of ₦5,000.50 not made" })).toContainText(
    "The payment was not completed.",
  );
  const payment = findPayment(page);
  await expect(payment).toContainText("Abandoned");
  expect(await database.balance(ada.id)).toBe("0.000000");

  await payment.getByRole("button", { name: "Continue payment" }).click();
  await page.waitForURL(CHECKOUT);
  expect(page.url()).toBe(checkout);
  await page.getByRole("button", { name: /^Pay ₦/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "Deposit completed" })).toBeVisible();
  await expect(payment).toContainText("Completed");
  await expect(payment.getByRole("button", { name: "Continue payment" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Deposits and withdrawals" }).getByRole("listitem")).toHaveCount(2);
  expect(await database.balance(ada.id)).toBe("16.341504");
});

// [ENT-13 §3 r11] A transaction is pending, processing, completed, failed, reversed, abandoned or in review.
// [TRAN-01 §4] A deposit starts as pending, a withdrawal as processing.
test("a deposit paid after the checkout was closed is credited live [ENT-13 TRAN-01]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 0 });
  const control = await openCheckout(page, "7,500");
  await page.goto("/wallet");
  await expect(findTerm(page, "Pending deposits")).toContainText("₦7,500");
  const payment = findPayment(page);
  await expect(payment).toContainText("Pending");
  await expect(payment).toContainText("Waiting for your payment.");
  await control.decideCharge(await readReference(payment), "pay");
  await control.settle();
  await expect(payment).toContainText("Completed");
  await expect(findTerm(page, "Pending deposits")).toContainText("₦0");
  await expect(findBalance(page)).toContainText("24.50");

  await openCheckout(page, "5,000");
  await page.goto("/wallet");
  await expect(payment).toContainText("₦5,000");
  const reference = await readReference(payment);
  await page.goto("/matches");
  // The list comes over the socket: what was pushed before would not be pushed again.
  const list = page.getByRole("tabpanel").getByRole("listitem").or(page.getByText("No matches found."));
  await expect(list.first()).toBeVisible();
  await control.decideCharge(reference, "pay");
  await control.settle();
  await expect(findToast(page, "Deposit completed")).toContainText("₦5,000");
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("40.84");
});

// [WALL-12 §2,7 r2] A changed balance is shown in the wallet as soon as in the header. Its parts are dimmed until
// they are loaded.
test("a changed balance is shown at once, and its parts once they are loaded [WALL-12]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 0 });
  const control = await openCheckout(page, "7,500");
  await page.goto("/wallet");
  const payment = findPayment(page);
  await expect(payment).toContainText("Pending");
  const mayLoad = Promise.withResolvers<void>();
  await page.route("**/api/wallet", async (route) => {
    await mayLoad.promise;
    await route.continue();
  });
  await control.decideCharge(await readReference(payment), "pay");
  await control.settle();
  await expect(page.getByRole("link", { name: /profile/ })).toContainText("24.50");
  await expect(findBalance(page)).toContainText("24.50");
  const parts = page.getByRole("region", { name: "Available and pending" });
  await expect(parts).toHaveAttribute("aria-busy", "true");
  mayLoad.resolve();
  await expect(findTerm(page, "Ready after 24 hours")).toContainText("24.50");
  await expect(parts).toHaveAttribute("aria-busy", "false");
});

// [WALL-14 §7 r9] A checkout that is ready only after the player has left the wallet does not open: the deposit waits
// in the wallet with 'Continue payment'.
test("a checkout that is ready after the player left the wallet waits there [WALL-14]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 0 });
  const mayArrive = Promise.withResolvers<void>();
  await page.route("**/api/deposits", async (route) => {
    await mayArrive.promise;
    await route.continue();
  });
  await page.goto("/wallet");
  await page.getByLabel("Amount in naira").fill("5,000");
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await expect(page.getByRole("button", { name: "Opening checkout..." })).toBeVisible();
  await page.getByRole("link", { name: "Matches" }).first().click();
  await expect(page.getByRole("heading", { name: "Matches" })).toBeVisible();
  const opened = page.waitForResponse("**/api/deposits");
  mayArrive.resolve();
  await (await opened).finished();
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await expect(findPayment(page).getByRole("button", { name: "Continue payment" })).toBeVisible();
  await expect(page).toHaveURL("/wallet");
});

// [WALL-02 §2] One switch changes between Deposit and Withdraw, each with an amount in naira.
// [VALID-21 §5,9] A withdrawal is at least ₦5,000: 'Minimum withdrawal amount is ₦5,000'.
test("an invalid amount is refused without a request, and a fault of the server is named [WALL-02 VALID-21]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500.*\/api\/(deposits|logout)\)/);
  const { page, context } = await newPlayer("ada", { hc: 100 });
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  await page.goto("/wallet");
  const field = page.getByLabel("Amount in naira");
  const wrongs: readonly (readonly [string, string])[] = [
    ["", "Minimum deposit amount is ₦5,000"],
    ["900,000,000", "Maximum deposit amount is ₦10,000,000"],
    ["4999.99", "Minimum deposit amount is ₦5,000"],
    ["-1", "Minimum deposit amount is ₦5,000"],
    ["NaN", "Please write the amount in digits, such as 5,000 or 5000.50."],
    ["1e309", "Please write the amount in digits, such as 5,000 or 5000.50."],
    ["5000,00", "Please write the amount in digits, such as 5,000 or 5000.50."],
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
  await expectAccessible(page, "an amount too small, and an e-mail not verified");
  expect(asked).toEqual([]);

  const headers = { origin: arena.url, "content-type": "application/json" };
  for (const kobo of ["-1", "499999", "500000.5", '"500000"', "1e309", "9007199254740993", "null", "true"]) {
    const data = `{"commandId":"${crypto.randomUUID()}","kobo":${kobo},"payKobo":${kobo},"rateKobo":30600}`;
    const answer = await context.request.post(`${arena.url}/api/deposits`, { data: Buffer.from(data), headers });
    expect(answer.ok(), kobo).toBe(false);
  }
  await page.reload();
  await expect(page.getByText("No deposits or withdrawals yet.")).toBeVisible();

  await page.route(/\/api\/(deposits|logout)$/, (route) => route.fulfill({ status: 500, body: "a fault" }));
  await field.press("ArrowUp");
  await expect(field).toHaveValue("100");
  await field.fill("5000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Error: Failed to initialize payment");
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.locator(".toast")).toHaveText("Logout failedAn error occurred during logout");
});
