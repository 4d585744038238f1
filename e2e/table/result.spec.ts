import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { answer, press, resign } from "../support/offers.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

auditAfterwards();

const PHONE = { viewport: { width: 360, height: 640 } };

const findToggle = (page: Page, name: "Show the board" | "Result" | "Answer rematch") =>
  page.getByRole("region", { name: "Result" }).getByRole("button", { name });

/** The top of the result, as a part of the board's height: 0 is its upper edge. */
async function readTopOnBoard(page: Page): Promise<number> {
  const board = (await page.locator(".board").boundingBox())!;
  const sheet = (await page.locator(".state-place").boundingBox())!;
  return (sheet.y - board.y) / board.height;
}

// [GAME-60 §2] On a phone the result is a sheet over the lower half of the board: what was won or lost, the reason, the
// receipt and both players' new ratings. One press leads to the board and one back; a press on the board, Escape and an
// earlier move close it.
test("the result covers the lower half of a phone's board until one press [GAME-60]", async ({ newPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada", { context: PHONE }), await newPlayer("bola", { context: PHONE })];
  const { robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await resign(ada);
  closeRobots(robots);
  for (const [{ page }, title, sum, row, reason] of [
    [ada, "You lost", "−12.89 HC", "Stake lost12.00 HC", "You resigned."],
    [bola, "You won", "+11.11 HC", "You received24.00 HC", `${ada.username} resigned.`],
  ] as const) {
    const result = page.getByRole("region", { name: "Result" });
    await expect(result.getByRole("heading", { name: title })).toBeVisible();
    await expect(result).toContainText(sum);
    await expect(result).toContainText(reason);
    await expect(result).toContainText(row);
    for (const { username } of [ada, bola]) await expect(result).toContainText(`${username}Rating new`);
    expect(await readTopOnBoard(page)).toBeGreaterThanOrEqual(0.49);
    await expectAccessible(page, `the sheet of a game that was ${title}`);
    await page.setViewportSize(PHONE.viewport);
  }
  const { page } = bola;
  await findToggle(page, "Show the board").click();
  await expect(page.getByText("You received")).toBeHidden();
  await expect(page.getByRole("heading", { name: "You won" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, "the board after the result");
  await page.setViewportSize(PHONE.viewport);
  await findToggle(page, "Result").click();
  await expect(page.getByText("You received")).toBeVisible();
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => page.locator(".board").click({ position: { x: 90, y: 70 } }),
  ]) {
    await close();
    await expect(page.getByText("You received")).toBeHidden();
    await findToggle(page, "Result").click();
    await expect(page.getByText("You received")).toBeVisible();
  }
  await page.getByRole("list", { name: "Moves" }).getByRole("button").last().press("ArrowLeft");
  await expect(page.getByText("You received")).toBeHidden();
  await expect(page.getByText("Move 3 of 4").first()).toBeVisible();
});

// [GAME-61 §2 r19] A rematch that is offered while a phone shows the board opens the result, which says what it costs.
test("an offered rematch opens the result on a phone [GAME-61]", async ({ newPlayer, arena }) => {
  const [ada, bola] = [await newPlayer("ada", { context: PHONE }), await newPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await resign(bola);
  closeRobots(robots);
  await findToggle(ada.page, "Show the board").click();
  await press(bola.page, "Offer Rematch");
  const offer = ada.page.getByRole("dialog", { name: "Rematch Offer" });
  await expect(offer).toBeInViewport({ ratio: 1 });
  await expect(ada.page.getByText(`${bola.username} resigned.`)).toBeInViewport({ ratio: 1 });
  await findToggle(ada.page, "Show the board").click();
  await expect(offer).toBeHidden();
  await findToggle(ada.page, "Answer rematch").click();
  await answer(ada.page, "Rematch Offer", "Accept");
  await expect(ada.page).not.toHaveURL(new RegExp(gameId));
});

// [GAME-62 §2] Who comes to a finished game of others sees the board; who watched its end sees the result.
test("a watcher sees the result if they saw the end [GAME-62]", async ({ newVisitor, addPlayer, arena }) => {
  const [ada, bola] = [await addPlayer("ada"), await addPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const watcher = await newVisitor(PHONE);
  await watcher.goto(`/game/${gameId}`);
  await expect(watcher.getByRole("grid", { name: "Board" })).toBeVisible();
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
  const result = watcher.getByRole("region", { name: "Result" });
  await expect(result.getByRole("heading", { name: `${bola.username} won` })).toBeVisible();
  await expect(result).toContainText(`${bola.username}Won`);
  await expect(result).not.toContainText("HC");
  await watcher.reload();
  await expect(findToggle(watcher, "Result")).toBeVisible();
  await expect(result).toContainText(`${ada.username} resigned.`);
});

// [GAME-64 §2] A finished game is shared with the picture of its final position, by the device's own sheet where there is
// one, else by its link. The sum is in the picture only if a player switches it on; a watcher and a free game have none.
test("a finished game is shared with its picture, and with the sum only by choice [GAME-64]", async ({
  newPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada", { context: PHONE }), await newPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await resign(bola);
  closeRobots(robots);
  const { page } = ada;
  await page.evaluate(() => {
    const shared: unknown[] = [];
    const share = async ({ url, files = [] }: ShareData) =>
      void shared.push({ url, files: files.map(({ name, type, size }) => ({ name, type, isEmpty: size < 1_000 })) });
    Object.assign(window, { shared });
    Object.assign(navigator, { share, canShare: () => true });
  });
  const dialog = page.getByRole("dialog", { name: "Share this game" });
  const shareBySheet = async (query: string) => {
    const picture = page.waitForResponse((response) => response.url().endsWith(`/picture.png${query}`));
    if (query === "") await page.getByRole("button", { name: "Share" }).click();
    else await dialog.getByRole("switch", { name: "Show the amount" }).click();
    expect((await picture).headers()["content-type"]).toBe("image/png");
    await expect(async () => {
      await dialog.getByRole("button", { name: "Share" }).click();
      const shared = await page.evaluate(() => (window as unknown as { shared: readonly object[] }).shared);
      expect(shared.at(-1)).toEqual({
        url: `${arena.url}/game/${gameId}${query}`,
        files: [{ name: "holo-arena.png", type: "image/png", isEmpty: false }],
      });
    }).toPass();
  };
  await shareBySheet("");
  await expect(dialog.getByRole("switch")).not.toBeChecked();
  await expectAccessible(page, "sharing a finished game");
  await page.setViewportSize(PHONE.viewport);
  await shareBySheet("?amount=true");

  const watcher = await newVisitor();
  await watcher.goto(`/game/${gameId}`);
  await watcher.getByRole("button", { name: "Share" }).click();
  const offered = watcher.getByRole("dialog", { name: "Share this game" });
  await expect(offered.getByRole("status")).toHaveText(`${arena.url}/game/${gameId}`);
  await expect(offered.getByRole("switch")).toHaveCount(0);
});
