import type { GameId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine, type Robot } from "../support/robot.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

test.describe.configure({ timeout: 180_000 });
auditAfterwards();

const FOOLS_MATE = "f2-f3 e7-e5 g2-g4 d8-h4";
const BLUNDER = /^g4\b.*, blunder$/;
/** Long enough that the computer still works when the next game begins. */
const LONG =
  "e2-e4 e7-e5 g1-f3 b8-c6 f1-b5 a7-a6 b5-a4 g8-f6 b1-c3 b7-b5 a4-b3 f8-c5 d2-d3 d7-d6 h2-h3 h7-h6 a2-a3 c8-e6 c1-e3 " +
  "c5-e3 f2-e3 e6-b3 c2-b3 d8-d7";

async function connectPair(ada: TestPlayer, bola: TestPlayer, url: string): Promise<readonly [Robot, Robot]> {
  return [await connectRobot(ada, url), await connectRobot(bola, url)];
}

async function play(robots: readonly [Robot, Robot], game: GameType, line: string): Promise<GameId> {
  const gameId = await robots[0].create(game, 1, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, line);
  return gameId;
}

async function openReview(page: Page, gameId: GameId): Promise<void> {
  await page.goto(`/game/${gameId}/review`);
  await expect(page.getByRole("heading", { name: "Review", level: 1 })).toBeVisible();
  await expect(page.getByText("Every move is judged.")).toBeVisible();
}

// [REVIEW-06 §-] After a game its players open its review at the game's address and /review: the computer judges every
// move on the device, shows the best move as an arrow, and the result is kept there.
test("a player reviews a game of chess by keys, from the turning point to practice [REVIEW-01 REVIEW-03 REVIEW-04 REVIEW-05 REVIEW-06]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await play(robots, "chess", FOOLS_MATE);
  await robots[0].waitForTable(gameId, ({ status }) => status === "completed");
  closeRobots(robots);
  const { page } = ada;
  await openReview(page, gameId);
  const verdict = page.getByRole("region", { name: "This move" });
  await expect(page.getByText(`You lost against ${bola.username}`)).toBeVisible();
  await expect(verdict).toContainText("The start");

  await page.getByRole("main").focus();
  await page.keyboard.press("ArrowRight");
  await expect(verdict).toContainText("1. f3");
  const slider = page.getByRole("slider", { name: "Move" });
  await slider.press("End");
  await expect(slider).toHaveAttribute("aria-valuetext", "2... Qh4#, your chance 0%");
  await expect(verdict).toContainText("Best move");
  await expect(verdict.getByRole("link")).toHaveCount(0);
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", /^The start, your chance \d+%$/);

  await page
    .getByRole("region", { name: "The game turned here" })
    .getByRole("button", { name: /2\. g4 your blunder/ })
    .click();
  await expect(verdict).toContainText("Blunder");
  await expect(verdict).toContainText(/Best was \S+\. Your chance fell from \d+% to 0%\./);
  await expect(page.locator(".drawings path")).toHaveCount(2);
  await expect(page.getByRole("button", { name: BLUNDER })).toHaveAttribute("aria-current", "step");
  await expect(page.locator(".board-frame [aria-live]")).toContainText("Blunder. Better was");
  await expectAccessible(page, "a review", { inLargeText: true });
  await page.getByRole("button", { name: BLUNDER }).press("ArrowLeft");
  await expect(page.getByRole("button", { name: /^e5/ })).toBeFocused();

  // kept on the device: nothing is computed again
  await openReview(page, gameId);
  expect(page.workers()).toEqual([]);

  await page.getByRole("button", { name: /2\. g4 your blunder/ }).click();
  await verdict.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Practice" })).toBeVisible();
  await expect(page.getByText(/^Chess · .+ · You play white$/)).toBeVisible();
  // before g4, which was the blunder
  await expect(page.getByRole("gridcell", { name: "g2, white pawn" })).toBeVisible();
  await expect(page.getByRole("gridcell", { name: "e5, black pawn" })).toBeVisible();
});

test("a game of checkers is reviewed by its two players only, with counts for both [REVIEW-02 REVIEW-06]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola, chi] = [await addPlayer("ada"), await newPlayer("bola"), await newPlayer("chi")];
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await play(robots, "checkers", `${FOUR_PLIES} h4-f6 e7-g5`);
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
  await chi.page.goto(`/game/${gameId}/review`);
  await expect(chi.page.getByRole("heading", { name: "Not your game" })).toBeVisible();

  await bola.page.goto(`/game/${gameId}`);
  await bola.page.getByRole("link", { name: "Review", exact: true }).click();
  await expect(bola.page).toHaveURL(`/game/${gameId}/review`);
  await expect(bola.page.getByText("Every move is judged.")).toBeVisible();
  const table = bola.page.getByRole("region", { name: "How both played" });
  await expect(table.getByRole("row", { name: /^Accuracy/ })).toHaveText(/^Accuracy\d+%\d+%$/);
  await bola.page.getByRole("button", { name: /^h4:f6/ }).click();
  await expect(bola.page.getByRole("region", { name: "This move" })).toContainText("Only move");

  const visitor = await newVisitor();
  await visitor.goto(`/game/${gameId}/review`);
  await expect(visitor).toHaveURL("/login");
});

// [REVIEW-07 §-] While a game of the player runs there is no review and no practice against the computer: a review stops
// when the game starts, and both pages lead to the game. A waiting game does not matter.
test("a review stops when a game of its player starts, and is refused until that is over [REVIEW-07]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await play(robots, "chess", LONG);
  await robots[0].send({ type: "resign", gameId });
  const next = await robots[0].create("checkers", 1, 10);
  const { page } = ada;
  const starts = page.waitForEvent("worker");
  await page.goto(`/game/${gameId}/review`);
  await starts;
  await robots[1].join(next);
  await expect(page).toHaveURL(`/game/${next}`);
  await expect.poll(() => page.workers()).toEqual([]);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("holo.reviews") ?? "[]"));
  expect(kept[0].evaluations.length).toBeLessThan(LONG.split(" ").length + 1);

  await page.evaluate((id) => history.pushState(null, "", `/game/${id}/review`), gameId);
  await expect(page.getByRole("heading", { name: "Finish your game first" })).toBeVisible();
  await expectAccessible(page, "a review that is refused");
  expect(page.workers()).toEqual([]);
  // neither are hints and the computer's levels
  await page.evaluate(() => history.pushState(null, "", "/practice"));
  await expect(page.getByText("Practice goes on here when your game is over.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "To your game" }).click();
  await expect(page).toHaveURL(`/game/${next}`);

  await robots[0].cancel(next);
  await expect(page.getByRole("heading", { name: "Game cancelled" })).toBeVisible();
  await openReview(page, gameId);
  closeRobots(robots);
});
