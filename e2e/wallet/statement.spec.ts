import { readFile } from "node:fs/promises";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { findLayoutFaults } from "../support/layout.ts";
import { deposit } from "../support/payments.ts";
import { connectRobot } from "../support/robot.ts";

// The balance of many digits is more than the provider holds.
auditAfterwards([/provider_short/]);

// [WALL-13 §2] A balance of many digits covers nothing in the header and in the wallet, also on a phone of 320 px and
// in large text.
test("a balance of many digits fits narrow phones and large text [WALL-13]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { hc: 98_765_432, context: { viewport: { width: 320, height: 568 } } });
  await page.goto("/wallet");
  await expect(page.getByRole("region", { name: "Statement" })).toContainText("+98,765,432.00");
  const header = { seen: [".site-header .figure"], apart: [".wordmark", ".site-header .balance > *"] };
  const wallet = { seen: [], apart: [".vault-parts .money"] };
  expect(await findLayoutFaults(page, [header, wallet], ["100%"]), "320x568").toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await findLayoutFaults(page, [header, wallet], ["100%", "200%"]), "390x844").toEqual([]);
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
  await expect(rows.nth(1)).toContainText("Entry refunded");
  await statement.getByRole("button", { name: "Exact figures" }).click();
  await expect(rows.nth(1)).toContainText("+12.888000");
  await expect(rows.nth(1)).toContainText("116.339870");
  await expect(rows).toHaveCount(51);

  // Each new transaction loads the statement again, also while more of it is loaded.
  const next = Promise.withResolvers<void>();
  await page.route("**/api/statement?before=*", async (route) => {
    await next.promise;
    await route.continue();
  });
  await statement.getByRole("button", { name: "Show more" }).click();
  await expect(statement.getByRole("button", { name: "Loading..." })).toBeVisible();
  const reload = page.waitForResponse(/\/api\/statement$/);
  const gameId = await robot.create("checkers", 1);
  await reload;
  next.resolve();
  await expect(rows).toHaveCount(54);
  await expect(rows.nth(1)).toContainText("Match entry");
  await robot.cancel(gameId);
  robot.close();
  await expect(rows).toHaveCount(55);
  await expect(rows.last()).toContainText("Opening balance");
  await expect(statement.getByRole("button", { name: "Show more" })).toHaveCount(0);

  await statement.getByLabel("Show transactions").selectOption("Deposit");
  await expect(rows).toHaveCount(2);
  await statement.getByLabel("Show transactions").selectOption("Won");
  await expect(statement).toContainText("No transactions of this kind.");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    statement.getByRole("link", { name: "CSV" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split(/\r?\n/);
  expect(lines).toHaveLength(55);
  expect(lines.at(-2)).toContain("Deposit,16.339870,116.339870");

  await statement.getByLabel("Show transactions").selectOption("Match entry");
  await rows.nth(1).getByRole("link", { name: "No opponent" }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f-]{36}$/);
});
