import type { GameId } from "@holo/kernel/ids.ts";
import type { Locator, Page } from "@playwright/test";
import type { ArenaServer } from "../support/arena-server.ts";
import { byKeys, findSquare } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine, type Robot } from "../support/robot.ts";
import { recordSounds } from "../support/sounds.ts";
import { readSeconds, runClockDown } from "../support/steps.ts";
import { closeRobots } from "../support/tables.ts";

const TABS_MAX = 60;
const STEP_MS = 2_000;

// These tests move the clock of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards();

async function tabTo(page: Page, target: Locator): Promise<void> {
  const isFocused = () => target.evaluate((element) => element === document.activeElement);
  for (let tab = 0; !(await isFocused()); tab += 1) {
    expect(tab, `${target} can be reached by Tab`).toBeLessThan(TABS_MAX);
    await page.keyboard.press("Tab");
  }
}

async function pressByKeys(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await expect(target).toBeEnabled();
  await page.keyboard.press("Enter");
}

async function createByKeys(page: Page, opponent: Robot): Promise<GameId> {
  await page.goto("/");
  await pressByKeys(page, page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Matches" }));
  await pressByKeys(page, page.getByRole("main").getByRole("link", { name: "Create Match" }).first());
  await tabTo(page, page.getByLabel("Game type"));
  await page.keyboard.type("checkers");
  await pressByKeys(page, page.getByRole("main").getByRole("button", { name: "Create Match" }));
  await expect(page.getByRole("dialog", { name: "Finding Match" })).toBeVisible();
  const gameId = await opponent.create("checkers", 1);
  await expect(page).toHaveURL(`/game/${gameId}`);
  await expect(page).toHaveTitle(/^Your turn/);
  return gameId;
}

function findSaid(page: Page): Locator {
  return page.locator(".board-frame [aria-live]");
}

async function expectFocused(page: Page): Promise<void> {
  const focused = await page.evaluate(() => document.activeElement?.tagName);
  expect(focused, "something has the focus").not.toBe("BODY");
}

test("a game of checkers is played, offered and ended by keyboard alone, with announcements [MATCH-01]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const { page } = ada;
  const robot = await connectRobot(bola, arena.url);
  const gameId = await createByKeys(page, robot);
  await expectFocused(page);
  const said = findSaid(page);
  const board = page.getByRole("grid", { name: "Board" });
  const expectBoardFocused = () => expect(board.locator(":focus")).toHaveCount(1);

  await byKeys(page, ["c3", "d4"]);
  await expect(said).toHaveText("You: c3 to d4. Opponent's turn.");
  await robot.move(gameId, "b6-a5");
  await expect(said).toHaveText(`${bola.username}: b6 to a5. Your turn.`);
  await byKeys(page, ["g3", "h4"]);
  await robot.move(gameId, "f6-g5");
  await expect(said).toHaveText(`${bola.username}: f6 to g5. Your turn. You must capture.`);
  await page.keyboard.press("m");
  await expect(findSquare(page, "h4")).toBeFocused();
  await expect(findSquare(page, "h4")).toHaveAttribute("aria-description", "stake 1, must capture");
  await byKeys(page, ["h4", "f6"]);
  await expect(said).toHaveText("You: h4 to f6, capturing one. Opponent's turn.");
  await robot.move(gameId, "e7-g5");
  await expect(said).toHaveText(`${bola.username}: e7 to g5, capturing one. Your turn.`);

  await page.setViewportSize({ width: 390, height: 844 });
  // The offer takes the place of the focused button.
  const previous = page.getByRole("button", { name: "Previous move" });
  await tabTo(page, previous);
  await robot.send({ type: "offer_draw", gameId });
  await expect(said).toHaveText(
    /^Draw Offer\. .+ offers a draw\. Stakes returned \(minus holo fee\): 12\.00 HC each\.$/,
  );
  await expectBoardFocused();
  const draw = page.getByRole("dialog", { name: "Draw Offer" });
  await pressByKeys(page, draw.getByRole("button", { name: "Decline" }));
  await expect(draw).toBeHidden();
  await expectBoardFocused();
  await page.setViewportSize({ width: 1440, height: 900 });
  await robot.send({ type: "request_takeback", gameId });
  await expect(said).toHaveText(
    `Takeback Request. ${bola.username} asks to take back e7:g5. The clocks stay as they are.`,
  );
  const takeback = page.getByRole("dialog", { name: "Takeback Request" });
  await pressByKeys(page, takeback.getByRole("button", { name: "Accept" }));
  await expect(said).toHaveText("Taken back. Opponent's turn.");
  await expectBoardFocused();
  await robot.move(gameId, "e7-g5");
  await expect(said).toHaveText(`${bola.username}: e7 to g5, capturing one. Your turn.`);

  await pressByKeys(page, page.getByRole("button", { name: "Offer Draw" }));
  const offered = page.getByRole("button", { name: "Draw offered" });
  await expect(offered).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: "Draw Offered" })).toBeVisible();
  const { offers } = await robot.waitForTable(gameId, (table) => table.offers.draw.pending !== null);
  const { version } = offers.draw.pending!;
  await robot.send({ type: "answer_draw", gameId, offer: version, answer: "decline", atVersion: 0 });
  await expect(page.getByRole("status").filter({ hasText: "Draw Declined" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Offer Draw" })).toBeFocused();

  await pressByKeys(page, previous);
  await expect(said).toHaveText("Earlier position. Move 5 of 6.");
  await expect(previous).toBeFocused();
  const past = page.getByRole("region", { name: "Earlier position" });
  await pressByKeys(page, past.getByRole("button", { name: "Back to the game" }));
  await expectBoardFocused();

  const chat = page.getByRole("button", { name: "Chat" });
  await pressByKeys(page, chat);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
  await page.keyboard.type("Well played");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log", { name: "Messages" })).toContainText("You: Well played");
  await page.keyboard.press("Escape");
  await expect(chat).toBeFocused();
  await robot.send({ type: "chat", gameId, text: "You too" });
  await expect(page.getByRole("status").filter({ hasText: "A new message in the chat." })).toBeAttached();

  const resign = page.getByRole("button", { name: "Resign" });
  await pressByKeys(page, resign);
  const dialog = page.getByRole("dialog", { name: "Resign Game?" });
  await expect(dialog.getByRole("button", { name: "Keep Playing" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(resign).toBeFocused();
  await page.keyboard.press("Enter");
  await pressByKeys(page, dialog.getByRole("button", { name: "Resign" }));
  await expect(said).toHaveText("You lost. You resigned.");
  await expectBoardFocused();
  await pressByKeys(page, page.getByRole("button", { name: "Offer Rematch" }));
  await expect(page.getByRole("button", { name: "Rematch offered" })).toBeFocused();
  robot.close();
});

/**
 * For a page whose clock is installed: its time and the tables' time pass in steps. The page sets
 * its timers after it has painted, and one long step could skip what they announce.
 */
async function passTime(page: Page, arena: ArenaServer, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    await page.clock.fastForward(Math.min(leftMs, STEP_MS));
    await arena.advanceTables(Math.min(leftMs, STEP_MS));
  }
}

// [CLOCK-04 §4,9] Below one minute the clock is highlighted and pulses.
test("the own clock pulses and beeps below 60 seconds and is announced at 60, 30 and 10 [CLOCK-04 CLOCK-05]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: { isAudible: true } });
  const bola = await addPlayer("bola");
  const { page } = ada;
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("chess", 1);
  await robots[1].join(gameId);
  await playLine(gameId, robots, "e2-e4 e7-e5 g1-f3 b8-c6");
  const readSounds = await recordSounds(page);
  await page.clock.install();
  await page.goto(`/game/${gameId}`);
  const clock = page.getByRole("timer", { name: `Clock of ${ada.username}` });
  await expect(clock).not.toHaveAttribute("data-low");
  await page.keyboard.press("Shift");
  for (const [seconds, white, black] of [
    [60, "a2-a3", "a7-a6"],
    [30, "b2-b3", "b7-b6"],
    [10, "c2-c3", "d7-d6"],
  ] as const) {
    // Far from the announcement, which a page that is busy at its moment would skip.
    await runClockDown(arena, clock, (seconds + 10) * 1_000, () => playLine(gameId, robots, `${white} ${black}`));
    await expect(findSquare(page, black.slice(3))).toHaveAccessibleName(`${black.slice(3)}, black pawn`);
    await passTime(page, arena, ((await readSeconds(clock)) - seconds + 1) * 1_000);
    await expect(findSaid(page)).toHaveText(`${seconds} seconds left.`);
    await expect(clock).toHaveAttribute("data-low");
    if (seconds !== 60) continue;
    await page.emulateMedia({ reducedMotion: "no-preference" });
    expect(await clock.evaluate((shown) => getComputedStyle(shown).animationName)).toBe("clock-low");
    for (const count of [2, 3]) {
      await passTime(page, arena, 2_000);
      await expect.poll(async () => (await readSounds("low_time")).length).toBeGreaterThanOrEqual(count);
    }
    await page.emulateMedia({ reducedMotion: "reduce" });
  }
  await arena.advanceTables(10_000);
  // A command reads the new time. It is refused if the flag has fallen already.
  await Promise.allSettled([robots[1].send({ type: "offer_draw", gameId })]);
  await expect(findSaid(page)).toHaveText("You lost. Time's up! Game over - time limit reached.");
  closeRobots(robots);
});
