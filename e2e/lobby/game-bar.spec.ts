import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { findLayoutFaults } from "../support/layout.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { listScreens, openScreen } from "../support/screens.ts";
import { recordSounds } from "../support/sounds.ts";
import { createMatch, findCard, findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, openGame } from "../support/tables.ts";

const PHONE = { width: 360, height: 640 };
const BAR = { seen: [".game-bar", ".game-bar .button", ".tab-bar"], apart: [".game-bar", ".tab-bar", ".site-header"] };

auditAfterwards();

function findBar(page: Page) {
  return page.getByRole("region", { name: "Your game" });
}

/** Every page but those of a game, as its player sees them. A pending game leads from Create Match to the matches. */
function listPages(username: string, left: readonly string[] = []) {
  return listScreens("player", username).filter(
    ({ path, redirectsTo }) => redirectsTo === undefined && !left.includes(path),
  );
}

// [SITE-48 §2] While a game of theirs waits or is active, players see a bar on every page but a table: how long they
// have waited with Open and Cancel, or whose turn it is with the running clock and Rejoin, and the sum. On phones it
// is above the tab bar.
test("a waiting game has a bar on every page [SITE-48]", async ({ newPlayer, arena, database }) => {
  const ada = await newPlayer("ada", { context: { viewport: PHONE } });
  const { page } = ada;
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  await page.goto("/");
  const bar = findBar(page);
  for (const screen of listPages(ada.username, ["/create-match"])) {
    await openScreen(page, "player", screen);
    await expect(bar, screen.path).toContainText(/Waiting \d+:\d\d 64\.44 HC/);
    await expect(bar.getByRole("link", { name: "Open" })).toHaveAttribute("href", `/game/${gameId}`);
    expect(await findLayoutFaults(page, [BAR], ["100%"]), screen.path).toEqual([]);
  }
  await openScreen(page, "player", { path: "/wallet", heading: "Wallet" });
  await expectAccessible(page, "a waiting game's bar", { inLargeText: true });
  await bar.getByRole("button", { name: "Cancel" }).click();
  await expect(findToast(page, "Match Cancelled")).toBeVisible();
  await expect(bar).toHaveCount(0);
  expect(await database.balance(ada.id)).toBe("500.000000");
  robot.close();
});

// [SITE-49 §2,4] On the player's turn the title of every page blinks 'Your turn', and a low clock is heard. A game that
// ends meanwhile tells its result.
test("an active game has a bar on every page, and calls its player [SITE-48 SITE-49]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: { viewport: PHONE, isAudible: true } });
  const bola = await addPlayer("bola");
  const { page } = ada;
  const readSounds = await recordSounds(page);
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 10, 5);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await page.clock.install();
  await openGame(page, gameId);
  const bar = findBar(page);
  await expect(bar).toHaveCount(0);
  for (const screen of listPages(ada.username)) {
    // No help while the game runs.
    const heading = screen.path === "/practice" ? "Finish your game first" : screen.heading;
    await openScreen(page, "player", { ...screen, heading });
    await expect(bar, screen.path).toContainText(/Your turn \d:\d\d.*240 HC/);
    await expect(bar.getByRole("link", { name: "Rejoin" })).toHaveAttribute("href", `/game/${gameId}`);
    expect(await findLayoutFaults(page, [BAR], ["100%"]), screen.path).toEqual([]);
  }
  await openScreen(page, "player", { path: "/wallet", heading: "Wallet" });
  await expectAccessible(page, "an active game's bar", { inLargeText: true });
  const readTitles = async () => {
    const titles: string[] = [];
    // Only these seconds pass: an installed clock ticks by itself, too.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    for (let second = 0; second < 4; second += 1) {
      await page.clock.runFor(1_000);
      titles.push(await page.title());
    }
    await page.clock.resume();
    return titles.toSorted();
  };
  const [own, call] = ["Wallet · Holo Arena", "Your turn · Holo Arena"];
  expect(await readTitles()).toEqual([own, own, call, call]);

  await robots[0].move(gameId, "h4-f6");
  await expect(bar).toContainText("Opponent's turn");
  await expect(page).toHaveTitle(own);
  expect(await readTitles()).toEqual([own, own, own, own]);
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(bar).toContainText("Draw Offer");
  await robots[1].move(gameId, "e7-g5");
  await expect(bar).toContainText("Your turn");
  await page.mouse.click(2, 2);
  await page.clock.fastForward("04:10");
  await expect.poll(() => readSounds("low_time")).not.toEqual([]);

  await robots[1].send({ type: "resign", gameId });
  await expect(findToast(page, "You won")).toContainText(`${bola.username} resigned.`);
  await expect(bar).toHaveCount(0);
  closeRobots(robots);
});

// [CREATE-12 §2] A player with an open game is led to it from Create Match and from the dialog before joining.
test("Create Match and Join lead to the open game [CREATE-12]", async ({ newPlayer, addPlayer, arena }) => {
  const [ada, bola, chidi] = [await newPlayer("ada"), await addPlayer("bola"), await addPlayer("chidi")];
  const { page } = ada;
  const robots = [
    await connectRobot(ada, arena.url),
    await connectRobot(bola, arena.url),
    await connectRobot(chidi, arena.url),
  ] as const;
  const gameId = await robots[0].create("checkers", 1);
  const offered = await robots[2].create("chess", 1);
  await page.goto("/matches");
  const join = findCard(page, chidi.username).getByRole("button", { name: /^Join Match/ });
  const dialog = page.getByRole("dialog", { name: "Transaction Fee" });
  await join.click();
  await expect(dialog).toContainText("You have a pending game.");
  await expect(dialog.getByRole("link", { name: "Open Your Match" })).toHaveAttribute("href", `/game/${gameId}`);
  await expect(dialog.getByRole("button", { name: "Accept & Join" })).toBeDisabled();
  await robots[1].join(gameId);
  await page.waitForURL(`/game/${gameId}`);
  await page.getByRole("link", { name: "Matches" }).first().click();
  await join.click();
  await expect(dialog.getByRole("link", { name: "Rejoin Active Game" })).toHaveAttribute("href", `/game/${gameId}`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Create Match" }).click();
  await expect(page.getByRole("button", { name: "Finish Active Game First" })).toBeDisabled();
  await page.getByRole("main").getByRole("link", { name: "Rejoin Active Game" }).click();
  await expect(page).toHaveURL(`/game/${gameId}`);
  await robots[0].cancel(gameId);
  await robots[2].cancel(offered);
  closeRobots(robots);
});

// [SITE-50 §2 r21] A player who watches a game of others when their own begins is taken to it.
test("a watcher is taken to their own game when it begins [SITE-50]", async ({ newPlayer, addPlayer, arena }) => {
  const [ada, bola, chidi] = [await newPlayer("ada"), await addPlayer("bola"), await addPlayer("chidi")];
  const robots = [
    await connectRobot(ada, arena.url),
    await connectRobot(bola, arena.url),
    await connectRobot(chidi, arena.url),
  ] as const;
  const watched = await robots[1].create("checkers", 1);
  await robots[2].join(watched);
  const own = await robots[0].create("chess", 1);
  await openGame(ada.page, watched);
  await expect(findBar(ada.page)).toHaveCount(0);
  await robots[1].cancel(watched);
  await robots[1].join(own);
  await expect(ada.page).toHaveURL(`/game/${own}`);
  await robots[0].cancel(own);
  closeRobots(robots);
});

// [CREATE-13 §2] Finding Match shows how long it has waited, and leads to practice and to games that can be watched.
// The bar shows the wait there.
test("the wait for an opponent goes on in the bar [CREATE-13]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada", { context: { viewport: PHONE } });
  await createMatch(page, { stake: "5" });
  const dialog = page.getByRole("dialog", { name: "Finding Match" });
  await expect(dialog.getByRole("timer", { name: "Waiting time" })).toHaveText(/^Waiting 0:\d\d$/);
  await expect(dialog.getByRole("link", { name: "Watch a game" })).toHaveAttribute("href", "/matches?status=active");
  await expectAccessible(page, "an opponent is looked for", { inLargeText: true });
  await page.setViewportSize(PHONE);
  await dialog.getByRole("link", { name: "Practice" }).click();
  await expect(page).toHaveURL("/practice");
  await expect(findBar(page)).toContainText(/Waiting \d:\d\d 64\.44 HC/);
  await expect(page.locator(".practice-status")).toHaveText("Your Turn (White)");
  await findBar(page).getByRole("button", { name: "Cancel" }).click();
  await expect(findBar(page)).toHaveCount(0);
});
