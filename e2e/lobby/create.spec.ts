import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";
import { createMatch, readGameId } from "../support/steps.ts";
import { closeRobots } from "../support/tables.ts";

const PHONE = { width: 360, height: 640 };

auditAfterwards();

// [CREATE-14 §2] On phones a match is created in three presses: game, a tile with stake and total in HC and naira, and
// 'Play' with the total, which is always in sight.
test("three presses create a match on a phone [CREATE-14]", async ({ newPlayer, database }) => {
  const ada = await newPlayer("ada", { context: { viewport: PHONE } });
  const { page } = ada;
  await page.goto("/create-match");
  const play = page.getByRole("button", { name: /^Play ·/ });
  await expect(play).toBeInViewport({ ratio: 1 });
  await page.getByRole("radio", { name: "Chess" }).check();
  const tile = page.getByRole("region", { name: "Choose a match" }).getByRole("button", { name: /^5 HC/ });
  await expect(tile).toContainText("85.92 HC");
  await expect(tile).toContainText("₦26,291.52");
  await tile.click();
  await expect(play).toHaveText("Play · 85.92 HC");
  await expectAccessible(page, "Create Match with tiles", { inLargeText: true });
  await page.setViewportSize(PHONE);
  await expect(play).toBeInViewport({ ratio: 1 });
  await play.click();
  const dialog = page.getByRole("dialog", { name: "Finding Match" });
  await expect(dialog).toContainText("Chess, 5 HC per piece, 5 minutes");
  expect(await database.balance(ada.id)).toBe("414.080000");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(play).toBeVisible();
});

// [CREATE-15 §2] A tile of terms on which a player waits says 'Join {name} now' and leads to that match through the fee
// dialog. On desktops the square says who waits and since when.
test("a tile joins the player who waits, and a square names them [CREATE-15]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const [ada, bola] = [await addPlayer("ada"), await newPlayer("bola")];
  const { page } = bola;
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 2, 5);
  await page.goto("/create-match");
  const square = page.getByRole("button", { name: /^2 HC, 5 minutes/ });
  await expect(square).toContainText("Waiting");
  await expect(square).toContainText(`${ada.username} Rating new just now`);
  await expect(page.getByRole("button", { name: /^5 HC, 5 minutes/ })).toContainText("64.44 HC");
  await page.setViewportSize(PHONE);
  await page.getByRole("button", { name: `Join ${ada.username} now` }).click();
  const dialog = page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(dialog).toContainText("Total25.78 HC");
  await dialog.getByRole("button", { name: "Accept & Join" }).click();
  expect(await readGameId(page)).toBe(gameId);
  await robot.cancel(gameId);
  robot.close();
});

// [CREATE-16 §2] Finding Match names other terms on which a player waits. 'Switch' cancels and refunds the own match, then
// opens the fee dialog of the other.
test("a player who waits can switch to a match that has a player [CREATE-16]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
}) => {
  const [ada, bola] = [await addPlayer("ada"), await newPlayer("bola")];
  const { page } = bola;
  await createMatch(page, { stake: "5" });
  const finding = page.getByRole("dialog", { name: "Finding Match" });
  await expect(finding.getByRole("button", { name: "Switch" })).toHaveCount(0);
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 1, 10);
  await expect(finding).toContainText("Checkers for 1 HC has a player now.");
  await finding.getByRole("button", { name: "Switch" }).click();
  const fee = page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(fee).toContainText("Balance after joining: 487.11 HC.");
  expect(await database.balance(bola.id)).toBe("500.000000");
  await fee.getByRole("button", { name: "Accept & Join" }).click();
  expect(await readGameId(page)).toBe(gameId);
  await robot.cancel(gameId);
  closeRobots([robot]);
});
