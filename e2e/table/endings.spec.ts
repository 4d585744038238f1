import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { byClicks } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";
import { findToast, readDelayUntilLeft } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

// These tests move the clock of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards();

const REFUNDED = "The game has been cancelled. All funds have been refunded.";
const BOTH_REFUNDED = "All coins have been refunded to both players.";

/** Cancels the game: the page says so, and leads to the matches two seconds later. */
async function expectRefund(page: Page, cancel: () => Promise<void>, text = REFUNDED): Promise<void> {
  const delay = readDelayUntilLeft(page);
  await cancel();
  await expect(findToast(page, "Game Cancelled")).toContainText(text);
  await expect(page).toHaveURL("/matches");
  expect(await delay).toBe(2_000);
}

// [STATE-04 §4 r14] Running out of time loses, except in chess against a side that cannot mate, by material or behind
// a closed wall of pawns.
test("a fallen flag ends the game, and both players see the result [STATE-04 CLOCK-03 CLOCK-06]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const clock = ada.page.getByRole("timer", { name: `Clock of ${ada.username}` });
  await expect(clock).toHaveText(/^[45]:\d\d$/);
  // Less than a minute remains for the two moves; then it passes at once.
  await arena.advanceTables(240_000);
  await robots[0].move(gameId, "h4-f6");
  await robots[1].move(gameId, "e7-g5");
  await expect(clock).toHaveAttribute("data-low");
  await arena.advanceTables(60_000);
  // A command reads the new time.
  await robots[1].send({ type: "offer_draw", gameId });
  for (const { page } of [ada, bola]) {
    await expect(page.locator(".result-panel")).toContainText("Time's up! Game over - time limit reached.");
  }
  await expect(ada.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(bola.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expectAccessible(bola.page, "time is up");
  expect(await database.balance(ada.id)).toBe("487.112000");
  expect(await database.balance(bola.id)).toBe("511.112000");
  expect(await database.revenue(gameId)).toBe("1.776000");
  closeRobots(robots);
});

// [STATE-05 §4] A resignation ends the game in favour of the opponent.
// [ERR-23 §8] Resigning shows 'Game Resigned' and 'You have resigned from the game.'.
test("resigning is possible after two moves each and asks with the amounts [GAME-08 STATE-05 ERR-23 GAME-11]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, "c3-d4 b6-a5 g3-h4");
  await expect(ada.page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(ada.page.getByRole("button", { name: "Resign" })).toHaveCount(0);
  await robots[1].move(gameId, "f6-g5");
  await ada.page.getByRole("button", { name: "Resign" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Resign Game?" });
  await expect(dialog).toContainText("You lose the game and the 12.89 HC that you paid in.");
  await expect(dialog).toContainText(`${bola.username} receives 24.00 HC.`);
  await dialog.getByRole("button", { name: "Keep Playing" }).click();
  await expect(dialog).toBeHidden();
  expect(await database.escrow(gameId)).toBe("25.776000");

  await ada.page.getByRole("button", { name: "Resign" }).click();
  await dialog.getByRole("button", { name: "Resign" }).click();
  await expect(ada.page.locator(".result-panel")).toContainText("You resigned.");
  await expect(findToast(ada.page, "Game Resigned")).toContainText("You have resigned from the game.");
  await expect(ada.page.getByRole("region", { name: ada.username, exact: true })).not.toContainText("You play");
  await expect(ada.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(bola.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(bola.page.getByRole("main")).toContainText(`${ada.username} resigned.`);
  expect(await database.balance(ada.id)).toBe("487.112000");
  expect(await database.balance(bola.id)).toBe("511.112000");
  closeRobots(robots);
});

// [GAME-03 §2] A waiting game shows 'Waiting for opponent to join...'.
test("a pending game is cancelled on its page and refunded [GAME-03 ERR-18]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("chess", 10, 10);
  await ada.page.goto(`/game/${gameId}`);
  await expect(ada.page.getByRole("heading", { name: "Waiting for opponent to join..." })).toBeVisible();
  await ada.page.getByRole("button", { name: "Cancel" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Cancel Game?" });
  await expect(dialog).toContainText("You get all 171.84 HC back now.");
  await dialog.getByRole("button", { name: "Keep Waiting" }).click();
  await ada.page.getByRole("button", { name: "Cancel" }).click();
  await expectRefund(ada.page, () => dialog.getByRole("button", { name: "Cancel Game" }).click());
  expect(await database.balance(ada.id)).toBe("500.000000");
  robot.close();
});

// [GAME-11 §2 r6] 'Resign Game?' and 'Cancel Game?' ask for confirmation and show the sums.
// [STATE-08 §4,9] The opponent is notified of a cancellation, and both players are at /matches two seconds later.
// [ERR-18 §8] A cancelled game shows 'Game Cancelled' and 'The game has been cancelled. All funds have been
// refunded.', then leads to /matches.
// [ERR-19 §8] The player who cancelled sees 'Game Cancelled' and 'All coins have been refunded to both players.'.
test("a game cancelled after one move refunds both [GAME-11 STATE-08 ERR-18 ERR-19 CONST-02 CONST-13]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, "", { stake: 10 });
  await byClicks(ada.page, ["c3", "d4"]);
  await expect(bola.page).toHaveTitle(/^Your turn/);
  expect(await database.escrow(gameId)).toBe("257.760000");
  await bola.page.getByRole("button", { name: "Cancel" }).click();
  const dialog = bola.page.getByRole("dialog", { name: "Cancel Game?" });
  await expect(dialog).toContainText("Both players get all 128.88 HC back.");
  const cancel = () => dialog.getByRole("button", { name: "Cancel Game" }).click();
  await expectRefund(ada.page, () => expectRefund(bola.page, cancel, BOTH_REFUNDED));
  expect(await database.balance(ada.id)).toBe("500.000000");
  expect(await database.balance(bola.id)).toBe("500.000000");
  expect(await database.revenue(gameId)).toBe("0.000000");
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "stake", "refund"]);
  closeRobots(robots);
});

// [ENT-05 §3] A game without a winner is shown as a draw.
test("a draw returns both stakes and keeps the fees [ENT-05 CONST-02]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const { page } = ada;
  const line = "g1-f3 g8-f6 f3-g1 f6-g8 g1-f3 g8-f6 f3-g1";
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, line, { game: "chess" });
  await robots[1].move(gameId, "f6-g8");
  await expect(page.locator(".result-panel")).toContainText("Draw by Threefold Repetition.");
  await expect(page.getByRole("heading", { name: "Draw" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("Stake returned16.00 HC");
  expect(await database.balance(ada.id)).toBe("498.816000");
  expect(await database.balance(bola.id)).toBe("498.816000");
  expect(await database.revenue(gameId)).toBe("2.368000");
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "stake", "draw"]);
  closeRobots(robots);
});
