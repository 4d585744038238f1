import type { GameId } from "@holo/kernel/ids.ts";
import { byClicks, findSquare, readPieces } from "../support/board.ts";
import { findChat, findMessages, openChat, writeInChat } from "../support/chat.ts";
import { auditAfterwards, expect, type Person, test, UNREACHABLE } from "../support/fixtures.ts";
import { answer, findOffer, press } from "../support/offers.ts";
import { connectRobot } from "../support/robot.ts";
import { CUT_OFF, findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

auditAfterwards();

/** Starts a game of checkers. Its robots have left, so the pages alone decide who is online. */
async function open(white: Person, black: Person, url: string): Promise<GameId> {
  const { gameId, robots } = await startRobotGame(white, black, url, "", { minutes: 10 });
  closeRobots(robots);
  return gameId;
}

test("a restart after a crash restores position and offers, and credits the clocks [CLOCK-07 PRES-04]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES, { minutes: 10 });
  const before = await robots[0].waitForTable(gameId, (table) => table.moves.length === 4);
  closeRobots(robots);
  await press(bola.page, "Offer Draw");
  await press(bola.page, "Request Takeback");
  const expectOffers = async () => {
    await expect(findOffer(ada.page, "Draw Offer")).toBeVisible();
    await expect(findOffer(ada.page, "Takeback Request")).toBeVisible();
    await expect(bola.page.getByRole("button", { name: "Draw offered" })).toBeDisabled();
    await expect(bola.page.getByRole("button", { name: "Takeback requested" })).toBeDisabled();
  };
  await expectOffers();
  await Promise.all([ada.page.reload(), bola.page.reload()]);
  await expectOffers();
  const pieces = await readPieces(bola.page);

  await arena.kill();
  const killedAt = Date.now();
  for (const { page } of [ada, bola]) {
    await expect(page.getByText(CUT_OFF).first()).toBeVisible();
  }
  await expect(ada.page.getByRole("main").getByText("Holo Arena is not answering. Trying again...")).toBeVisible();
  await expect(ada.page.getByRole("region", { name: bola.username })).toContainText("Not known now");
  await expectOffers();
  await arena.start();
  const back = await connectRobot(ada, arena.url);
  const after = await back.waitForTable(gameId, (table) => table.clock.creditedTo !== null);
  expect(after.moves).toHaveLength(4);
  expect(after.offers.draw.pending).not.toBeNull();
  expect(after.offers.takeback.pending).not.toBeNull();
  // ten seconds of thinking each; the outage is charged to no player
  expect(after.clock.remainingMs[1]).toBe(before.clock.remainingMs[1] + 10_000);
  const spentMs = killedAt - before.changedAt;
  expect(after.clock.remainingMs[0]).toBeGreaterThanOrEqual(before.clock.remainingMs[0] - spentMs + 10_000);
  expect(after.clock.remainingMs[0]).toBeLessThanOrEqual(before.clock.remainingMs[0] + 10_000);

  for (const { page } of [ada, bola]) {
    await expect(page.getByText(CUT_OFF)).toHaveCount(0);
    expect(await readPieces(page)).toEqual(pieces);
  }
  await expectOffers();
  await answer(ada.page, "Takeback Request", "Decline");
  await expect(findToast(bola.page, "Takeback Declined")).toBeVisible();
  await byClicks(ada.page, ["h4", "f6"]);
  await expect(findOffer(ada.page, "Draw Offer")).toHaveCount(0);
  await byClicks(bola.page, ["e7", "g5"]);
  await expect(findSquare(ada.page, "g5")).toHaveAccessibleName("g5, black man");
  await back.waitForTable(gameId, (table) => table.moves.length === 6);
  back.close();
});

// [PRES-01 §4] Each player's card shows whether the opponent is online, and since when they are offline.
test("a move and a message made while the network is cut arrive once, and both players see the state [PRES-01]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  test.slow();
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { baseURL: arena.proxy.url, viewport: { width: 390, height: 844 } } });
  const bola = await newPlayer("bola");
  const gameId = await open(ada, bola, arena.url);
  await byClicks(ada.page, ["c3", "d4"]);
  await byClicks(bola.page, ["b6", "a5"]);
  await expect(ada.page).toHaveTitle(/^Your turn/);
  const board = ada.page.getByRole("grid", { name: "Board" });
  const place = await board.boundingBox();
  await openChat(ada.page);
  await expect(findChat(ada.page).locator(".clock")).toHaveText([/^\d+:\d\d/, /^\d+:\d\d/]);
  await expect(findChat(ada.page).locator(".clock").first()).toBeVisible();
  await openChat(bola.page);

  await ada.context.setOffline(true);
  arena.proxy.cut();
  await writeInChat(ada.page, "are you there?");
  await expect(findMessages(ada.page)).toHaveText(/are you there\? Sending\.\.\.$/);
  await writeInChat(bola.page, "waiting");
  await ada.page.keyboard.press("Escape");
  await byClicks(ada.page, ["g3", "h4"]);
  await expect(findSquare(ada.page, "h4")).toHaveAccessibleName("h4, white man");
  await expect(ada.page.getByRole("main").getByText("You are offline.")).toBeVisible();
  const presence = ada.page.getByRole("region", { name: bola.username });
  await expect(presence).toContainText("Not known now");
  // shown without shifting the board under a finger
  await expect(ada.page.getByRole("banner").getByRole("status")).toContainText("Trying again...");
  expect(await board.boundingBox()).toEqual(place);
  await expect(bola.page.getByRole("region", { name: ada.username })).toContainText("Offline for");
  await expect(findSquare(bola.page, "h4")).toHaveAccessibleName("h4, empty");

  arena.proxy.restore();
  await ada.context.setOffline(false);
  await expect(findSquare(bola.page, "h4")).toHaveAccessibleName("h4, white man");
  await expect(bola.page.getByRole("region", { name: ada.username })).toContainText("Online");
  await expect(ada.page.getByText("You are offline.", { exact: true })).toHaveCount(0);
  await expect(presence).toContainText("Online");
  await expect(findMessages(bola.page)).toHaveText([/waiting/, /are you there\?/]);
  await openChat(ada.page);
  await expect(findMessages(ada.page)).toHaveText([/waiting \d\d:\d\d$/, /are you there\? \d\d:\d\d$/]);
  await byClicks(bola.page, ["f6", "g5"]);
  const robot = await connectRobot(bola, arena.url);
  const table = await robot.waitForTable(gameId, ({ moves }) => moves.length >= 4);
  expect(table.moves).toHaveLength(4);
  await expect(findSquare(ada.page, "g5")).toHaveAccessibleName("g5, black man");
  robot.close();
  await bola.page.reload();
  await openChat(bola.page);
  await expect(findMessages(bola.page)).toHaveText([/waiting/, /are you there\?/]);
});

test("two tabs of one player follow the game, and a reload restores board, clocks and turn [CHESS-10]", async ({
  newPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const gameId = await open(ada, bola, arena.url);
  const second = await ada.context.newPage();
  await second.goto(`/game/${gameId}`);
  await byClicks(second, ["c3", "d4"]);
  await expect(findSquare(ada.page, "d4")).toHaveAccessibleName("d4, white man");
  await expect(ada.page).toHaveTitle(/^Opponent's turn/);
  await byClicks(bola.page, ["b6", "a5"]);
  for (const page of [ada.page, second]) {
    await expect(page).toHaveTitle(/^Your turn/);
    await expect(findSquare(page, "a5")).toHaveAccessibleName("a5, black man");
  }
  await byClicks(ada.page, ["g3", "h4"]);
  await expect(findSquare(second, "h4")).toHaveAccessibleName("h4, white man");
  await second.close();
  await expect(bola.page.getByRole("region", { name: ada.username })).toContainText("Online");

  await expect(bola.page).toHaveTitle(/^Your turn/);
  const before = await readPieces(bola.page);
  // it does not run during the opponent's turn
  const clock = bola.page.getByRole("timer", { name: `Clock of ${ada.username}` });
  const left = await clock.innerText();
  await bola.page.reload();
  await expect(findSquare(bola.page, "h4")).toHaveAccessibleName("h4, white man");
  expect(await readPieces(bola.page)).toEqual(before);
  await expect(bola.page.getByRole("list", { name: "Moves" })).toContainText("c3-d4");
  await expect(clock).toHaveText(left);
  await byClicks(bola.page, ["f6", "g5"]);
  await expect(findSquare(ada.page, "g5")).toHaveAccessibleName("g5, black man");
});

test("chunks first needed while offline load after the reconnect, and the game stays", async ({
  newPlayer,
  addPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { isFirstVisit: true, viewport: { width: 390, height: 844 } } });
  const bola = await addPlayer("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 1);
  await robots[1].join(gameId);
  await ada.page.goto(`/game/${gameId}`);
  await expect(ada.page).toHaveTitle(/^Your turn/);

  await ada.context.setOffline(true);
  await byClicks(ada.page, ["c3"]);
  await ada.page.getByRole("button", { name: "Menu" }).click();
  await expect(findSquare(ada.page, "d4")).toHaveAttribute("aria-description", "can be moved to");
  await expect(ada.page.getByRole("dialog", { name: "Menu" })).toHaveCount(0);

  await ada.context.setOffline(false);
  const menu = ada.page.getByRole("dialog", { name: "Menu" });
  await expect(menu.getByRole("button", { name: "Close" })).toBeVisible();
  const styles = ada.page.locator('link[rel="stylesheet"]');
  // Chunks that are fetched ahead may still load; a failed one would never have a sheet.
  const listUnloaded = () =>
    styles.evaluateAll((links) =>
      links.filter((link) => (link as HTMLLinkElement).sheet === null).map((link) => link.getAttribute("href")),
    );
  await expect.poll(listUnloaded).toEqual([]);
  await menu.getByRole("button", { name: "Close" }).click();
  await findSquare(ada.page, "d4").click();
  await robots[1].waitForTable(gameId, ({ moves }) => moves.length === 1);
  for (const robot of robots) robot.close();
});
