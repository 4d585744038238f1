import { expectAccessible } from "../support/axe.ts";
import { findSquare } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { closeRobots, FOUR_PLIES, openGame, startRobotGame } from "../support/tables.ts";

auditAfterwards();

const CHESS_PLIES = "e2-e4 e7-e5 g1-f3 b8-c6";

// [WATCH-03 §2] A watched game shows how many watch it, to its players and to watchers, with the records of both players.
// [WATCH-04 §2] At its end a watcher is offered the next game: the highest stake first, on boards that move.
test("a watcher sees who else watches, and is led on to the next game [WATCH-02 WATCH-03 WATCH-04]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const stake = (page: typeof ada.page) => page.getByRole("region", { name: "Stake" });
  await expect(stake(ada.page)).not.toContainText("watching");

  const { page } = await newPlayer("chidi");
  await openGame(page, gameId);
  await expect(stake(page)).toContainText("1 watching");
  await expect(stake(ada.page)).toContainText("1 watching");
  const visitor = await newVisitor();
  await openGame(visitor, gameId);
  for (const watched of [page, visitor, ada.page]) await expect(stake(watched)).toContainText("2 watching");
  await expectAccessible(page, "a watched game", { inLargeText: true });
  for (const name of [ada.username, bola.username])
    await expect(page.getByRole("region", { name, exact: true })).toContainText("Rating new");

  const [low, high] = [
    await startRobotGame(await addPlayer("dayo"), await addPlayer("efe"), arena.url, FOUR_PLIES, { stake: 2 }),
    await startRobotGame(await addPlayer("femi"), await addPlayer("gozi"), arena.url, CHESS_PLIES, {
      stake: 10,
      game: "chess",
    }),
  ];
  await expect(page.getByRole("link", { name: "Next game" })).toHaveCount(0);
  await robots[0].send({ type: "resign", gameId });
  const live = page.getByRole("region", { name: "Live now" });
  const shown = live.getByRole("listitem");
  await expect(shown.nth(0)).toContainText("femi");
  // Games that earlier tests left are shown too.
  await expect.poll(async () => (await shown.allTextContents()).length).toBeGreaterThan(1);
  const stakes = (await shown.allTextContents()).map((text) => Number(/(\d+) HC/.exec(text)?.[1]));
  expect(stakes).toEqual(stakes.toSorted((a, b) => b - a));
  await expect(ada.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(ada.page.getByRole("link", { name: "Next game" })).toHaveCount(0);
  await expectAccessible(page, "the end of a watched game", { inLargeText: true });
  const board = live.getByRole("listitem").nth(0).locator(".mini-board");
  const before = await board.innerHTML();
  await high.robots[0].move(high.gameId, "d2-d4");
  await expect.poll(() => board.innerHTML()).not.toBe(before);
  await page.getByRole("link", { name: "Next game" }).click();
  await expect(page).toHaveURL(`/game/${high.gameId}`);
  await expect(findSquare(page, "d4")).toHaveAccessibleName("d4, white pawn");
  await low.robots[0].send({ type: "resign", gameId: low.gameId });
  await high.robots[0].send({ type: "resign", gameId: high.gameId });
  closeRobots([...robots, ...low.robots, ...high.robots]);
});
