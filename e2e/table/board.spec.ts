import type { GameId } from "@holo/kernel/ids.ts";
import type { Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import {
  byClicks,
  findSquare,
  isFlipped,
  moveMouse,
  startDrag,
  storeBoardSettings,
  touchSquare,
} from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine, type Robot } from "../support/robot.ts";

const SCHOLARS_MATE = "e2-e4 e7-e5 f1-c4 b8-c6 d1-h5 g8-f6 h5-f7";

// These tests move the clock of tables.
test.use({ ownServer: "moved clock" });
auditAfterwards();

interface Seated {
  readonly robots: readonly [Robot, Robot];
  readonly gameId: GameId;
}

async function sitAtChess(
  white: TestPlayer,
  black: TestPlayer,
  url: string,
  line: string | null = null,
): Promise<Seated> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create("chess", 1, 10);
  await robots[1].join(gameId);
  if (line !== null) await playLine(gameId, robots, line);
  return { robots, gameId };
}

function findGhost(page: Page) {
  return page.locator(".piece.ghost");
}

async function drawOnBoard(page: Page, from: string, to: string): Promise<void> {
  await findSquare(page, from).hover();
  await page.mouse.down({ button: "right" });
  await findSquare(page, to).hover();
  await page.mouse.up({ button: "right" });
}

async function countMoves(robot: Robot, gameId: GameId): Promise<number> {
  return (await robot.waitForTable(gameId, () => true)).moves.length;
}

async function choosePremove(page: Page, from: string, to: string): Promise<void> {
  await expect(findSquare(page, from)).toHaveAttribute("aria-description", "can premove");
  await findSquare(page, from).click();
  await expect(findSquare(page, to)).toHaveAttribute("aria-description", "can be premoved to");
  await findSquare(page, to).click();
  await expect(findGhost(page)).toHaveCount(1);
}

test("a premove is dropped if it became illegal or is cancelled, else played after the opponent's move [TURN-04]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const bola = await newPlayer("bola");
  const { robots, gameId } = await sitAtChess(await addPlayer("ada"), bola, arena.url, "e2-e4 d7-d5");
  const { page } = bola;
  await storeBoardSettings(page, { premove: true });
  await page.goto(`/game/${gameId}`);
  await choosePremove(page, "d5", "e4");
  await page.keyboard.press("Escape");
  await expect(findGhost(page)).toHaveCount(0);
  await choosePremove(page, "d5", "e4");
  await findSquare(page, "a4").click();
  await expect(findGhost(page)).toHaveCount(0);

  await choosePremove(page, "d5", "e4");
  await page.getByRole("button", { name: "Premove set, tap to cancel" }).click();
  await expect(findGhost(page)).toHaveCount(0);

  await choosePremove(page, "d5", "e4");
  await robots[0].move(gameId, "e4-e5");
  await expect(page).toHaveTitle(/^Your turn/);
  await expect(findGhost(page)).toHaveCount(0);
  await expect(page.locator(".board-frame [aria-live]")).toHaveText(/: pawn e4 to e5\. Your turn\. Premove dropped\.$/);
  expect(await countMoves(robots[1], gameId)).toBe(3);

  await robots[1].move(gameId, "a7-a6");
  await choosePremove(page, "b8", "c6");
  expect(await countMoves(robots[1], gameId)).toBe(4);
  await robots[0].move(gameId, "d2-d4");
  const { moves } = await robots[1].waitForTable(gameId, (table) => table.moves.length === 6);
  expect(moves.at(5)?.move.path).toEqual([1, 18]);
  await expect(findGhost(page)).toHaveCount(0);
  await expect(findSquare(page, "c6")).toHaveAccessibleName("c6, black knight");
  await expect(page.locator(".board-frame [aria-live]")).toHaveText(
    /: pawn d2 to d4\. You: knight b8 to c6\. Opponent's turn\.$/,
  );
  for (const robot of robots) robot.close();
});

// [GAME-16 §2] A piece is selected while it is pressed, by mouse or finger, with a short tick that a setting turns
// off. Another button, a second finger, Escape or leaving the window puts a dragged piece back.
test("a press restyles its marks alone, not the page [GAME-16]", async ({ newPlayer, addPlayer, arena, browser }) => {
  const ada = await newPlayer("ada");
  const { robots, gameId } = await sitAtChess(ada, await addPlayer("bola"), arena.url);
  const { page } = ada;
  await page.goto(`/game/${gameId}`);
  // The style sheets of other pages stay.
  await page.getByRole("banner").getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByRole("heading", { name: "Wallet", exact: true })).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Chat" }).click();
  await page.getByRole("button", { name: "Close chat" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await findSquare(page, "e2").click();
  await expect(findSquare(page, "e4")).toHaveAttribute("aria-description", "can be moved to");
  const most: number[] = [];
  for (const file of ["d", "e", "d"]) {
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    await findSquare(page, `${file}2`).click();
    await expect(findSquare(page, `${file}4`)).toHaveAttribute("aria-description", "can be moved to");
    const trace = (await browser.stopTracing()).toString("utf8");
    const styled = [...trace.matchAll(/"elementCount":(\d+)/g)].map(([, count]) => Number(count));
    expect(styled.length).toBeGreaterThan(0);
    most.push(Math.max(...styled));
  }
  // The pieces alone have more elements. A press that something else restyled too does not count.
  expect(Math.min(...most)).toBeLessThan(64);
  for (const robot of robots) robot.close();
});

test("another button, a second finger and Escape cancel a drag, which follows a board that moves [GAME-16]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { robots, gameId } = await sitAtChess(ada, await addPlayer("bola"), arena.url);
  const { page } = ada;
  await page.setViewportSize({ width: 900, height: 700 });
  await page.goto(`/game/${gameId}`);
  const held = page.locator(".piece.held");
  await expect(findSquare(page, "d2")).toHaveAttribute("aria-description", "can move");

  async function expectCancelled(): Promise<void> {
    await expect(held).toHaveCount(0);
    await expect(findSquare(page, "d2")).toHaveAttribute("aria-selected", "false");
    await expect(findSquare(page, "d2")).toHaveAccessibleName("d2, white pawn");
  }

  const touch = await touchSquare(page, "d2");
  await touch.moveTo("d3");
  await expect(held).toHaveCount(1);
  await touch.addFinger("d3", "a5");
  await expectCancelled();
  await touch.lift();
  await expectCancelled();

  for (const button of ["right", "middle"] as const) {
    await startDrag(page, "d2", "d4");
    await page.mouse.down({ button });
    await expectCancelled();
    await page.mouse.up({ button });
    await moveMouse(page, "d3");
    await page.mouse.up();
    await expectCancelled();
  }
  await startDrag(page, "d2", "d4");
  await page.keyboard.press("Escape");
  await expectCancelled();
  await page.mouse.up();
  await expectCancelled();
  expect(await countMoves(robots[0], gameId)).toBe(0);
  await expect(page.locator(".drawings > *")).toHaveCount(0);

  await startDrag(page, "d2", "d4");
  await expect(page.locator(".mark.target")).toHaveCount(1);
  // As a bar above the table or scrolling would do, by one row and two pixels.
  const { height } = (await findSquare(page, "d2").boundingBox())!;
  await page.locator(".board-frame").evaluate((frame, rowPx) => {
    frame.style.marginTop = `${rowPx + 2}px`;
  }, height);
  await expect(page.locator(".mark.target")).toHaveCount(0);
  const pawn = (await held.boundingBox())!;
  const d5 = (await findSquare(page, "d5").boundingBox())!;
  expect(Math.abs(pawn.y + pawn.height / 2 - (d5.y + d5.height / 2))).toBeLessThan(4);
  await moveMouse(page, "d3");
  await page.mouse.up();
  const { moves } = await robots[0].waitForTable(gameId, (table) => table.moves.length === 1);
  expect(moves.at(0)?.move.path).toEqual([51, 43]);
  for (const robot of robots) robot.close();
});

test("a move to confirm is drawn, undone by Escape and played by Enter; moves can be typed or dictated [GAME-49]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { robots, gameId } = await sitAtChess(ada, await addPlayer("bola"), arena.url);
  const { page } = ada;
  await storeBoardSettings(page, { moveField: true, moveConfirmation: true });
  await page.goto(`/game/${gameId}`);
  const bar = page.getByRole("region", { name: "Confirm move" });
  await byClicks(page, ["e2", "e4"]);
  await expect(bar).toContainText("e4");
  await expect(findSquare(page, "e4")).toHaveAccessibleName("e4, white pawn");
  await page.keyboard.press("Escape");
  await expect(bar).toBeHidden();
  await expect(findSquare(page, "e2")).toHaveAccessibleName("e2, white pawn");

  await byClicks(page, ["d2", "d4"]);
  await bar.getByRole("button", { name: "Undo" }).click();
  await byClicks(page, ["g1", "f3"]);
  expect(await countMoves(robots[0], gameId)).toBe(0);
  await page.keyboard.press("Enter");
  const { moves } = await robots[0].waitForTable(gameId, (table) => table.moves.length === 1);
  expect(moves.at(0)?.move.path).toEqual([62, 45]);
  await expect(page).toHaveTitle(/^Opponent's turn/);

  await robots[1].move(gameId, "e7-e5");
  await expect(page).toHaveTitle(/^Your turn/);
  const field = page.getByRole("textbox", { name: "Move", exact: true });
  await field.fill("Nf6");
  await field.press("Enter");
  await expect(page.getByText("Nf6 isn't a legal move here.")).toBeVisible();
  await field.fill("Nc3");
  await field.press("Enter");
  await expect(bar).toContainText("Nc3");
  await field.press("Enter");
  const { moves: typed } = await robots[0].waitForTable(gameId, (table) => table.moves.length === 3);
  expect(typed.at(2)?.move.path).toEqual([57, 42]);
  await field.fill("e4");
  await field.press("Enter");
  await expect(page.getByText("It is not your turn.")).toBeVisible();
  await robots[1].move(gameId, "b8-c6");
  await expect(page).toHaveTitle(/^Your turn/);
  await field.fill("knight to d four");
  await field.press("Enter");
  await expect(bar).toContainText("Nd4");
  await page.keyboard.press("Escape");
  await field.fill("knight to e two");
  await field.press("Enter");
  await expect(page.getByText("knight to e two isn't a legal move here.")).toBeVisible();
  await field.fill("knight to d five");
  await field.press("Enter");
  await expect(bar).toContainText("Nd5");
  for (const robot of robots) robot.close();
});

// [CHESS-10 §4 r1] A page loaded during a game shows the current board with the same player to move.
test("keys step through the moves during a game, and the board marks a past position [CHESS-10]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { robots, gameId } = await sitAtChess(ada, await addPlayer("bola"), arena.url, "e2-e4 e7-e5 g1-f3 b8-c6");
  const { page } = ada;
  await page.goto(`/game/${gameId}`);
  const list = page.getByRole("list", { name: "Moves" });
  const bar = page.getByRole("region", { name: "Earlier position" });
  await list.getByRole("button", { name: "Nc6" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(list.getByRole("button", { name: "Nf3" })).toBeFocused();
  await expect(bar).toContainText("Move 3 of 4");
  await expect(bar).toContainText("Your turn");
  await expect(findSquare(page, "b8")).toHaveAccessibleName("b8, black knight");
  await findSquare(page, "f1").click({ force: true });
  await expect(findSquare(page, "f1")).toHaveAttribute("aria-selected", "false");

  await robots[0].move(gameId, "f1-b5");
  await expect(bar).toContainText("Move 3 of 5");
  await expect(bar).toContainText("1 new move.");
  await expect(findSquare(page, "f1")).toHaveAccessibleName("f1, white bishop");

  await list.getByRole("button", { name: "Nf3" }).press("Home");
  await expect(bar).toContainText("The start");
  await expect(findSquare(page, "e2")).toHaveAccessibleName("e2, white pawn");
  await page.keyboard.press("ArrowRight");
  await expect(bar).toContainText("Move 1 of 5");
  await page.keyboard.press("End");
  await expect(bar).toBeHidden();
  await expect(findSquare(page, "b5")).toHaveAccessibleName("b5, white bishop");

  await list.getByRole("button", { name: "e5" }).press("Enter");
  await expect(bar).toContainText("Move 2 of 5");
  await page.getByRole("button", { name: "Previous move" }).last().click();
  await expect(bar).toContainText("Move 1 of 5");
  await bar.getByRole("button", { name: "Back to the game" }).click();
  await expect(bar).toBeHidden();
  for (const robot of robots) robot.close();
});

// [GAME-20 §2] Dragging with the right mouse button draws arrows and rings that only this page shows. A press or a
// new position removes them.
// [CALL-09 §7] The moves of a game can be read in order.
test("the page of a finished game is its replay with the remaining times [CALL-09 GAME-20 GAME-17 CHESS-11]", async ({
  addPlayer,
  newVisitor,
  arena,
}) => {
  const ada = await addPlayer("ada");
  const { robots, gameId } = await sitAtChess(ada, await addPlayer("bola"), arena.url);
  const moves = SCHOLARS_MATE.split(" ");
  await playLine(gameId, robots, moves.slice(0, 2).join(" "));
  // long enough to change the clock of this move
  await arena.advanceTables(2_000);
  for (const [ply, path] of moves.slice(2).entries()) await robots[ply % 2 === 0 ? 0 : 1].move(gameId, path);

  const page = await newVisitor();
  await page.goto(`/game/${gameId}`);
  await expect(page.getByRole("heading", { name: `${ada.username} won` })).toBeVisible();
  await expect(page.getByRole("img", { name: "Captured 1 pawn. 1 point ahead." })).toHaveCount(1);
  const drawn = page.locator(".drawings > *");
  await drawOnBoard(page, "d7", "e5");
  await expect(drawn).toHaveCount(2);
  await drawOnBoard(page, "f7", "f7");
  await expect(drawn).toHaveCount(3);
  await drawOnBoard(page, "d7", "e5");
  await expect(drawn).toHaveCount(1);
  await findSquare(page, "a4").click();
  await expect(drawn).toHaveCount(0);
  expect(await isFlipped(page)).toBe(false);
  await page.getByRole("button", { name: "Flip board" }).click();
  await expect.poll(() => isFlipped(page)).toBe(true);
  await drawOnBoard(page, "e8", "e6");

  const clock = page.getByRole("timer", { name: `Clock of ${ada.username}` });
  const list = page.getByRole("list", { name: "Moves" });
  await expect(list.getByRole("button", { name: "Bc4" })).toHaveText(/^Bc4.*9:\d\d$/);
  await expect(clock).toHaveText(/^9:\d\d$/);
  await page.getByRole("button", { name: "First position" }).first().click();
  await expect(drawn).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Earlier position" })).toContainText("The start");
  await expect(clock).toHaveText("10:00");
  await expect(findSquare(page, "e2")).toHaveAccessibleName("e2, white pawn");
  await page.getByRole("button", { name: "Last move" }).first().click();
  await expect(clock).toHaveText(/^9:\d\d$/);
  await expect(findSquare(page, "f7")).toHaveAccessibleName("f7, white queen");
  for (const robot of robots) robot.close();
});
