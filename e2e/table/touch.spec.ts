import type { Page } from "@playwright/test";
import { findSquare, readPieces, touchSquare } from "../support/board.ts";
import { auditAfterwards, expect, type Person, test } from "../support/fixtures.ts";
import { closeRobots, startRobotGame } from "../support/tables.ts";

auditAfterwards();

const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

async function expectUntouched(page: Page, pieces: readonly string[]): Promise<void> {
  await expect(page.locator(".piece.held")).toHaveCount(0);
  await expect(page.locator('[aria-selected="true"]')).toHaveCount(0);
  await expect(page).toHaveTitle(/^Your turn/);
  expect(await readPieces(page)).toEqual(pieces);
}

async function startAtPhone(
  ada: Person,
  bola: Parameters<typeof startRobotGame>[1],
  url: string,
): Promise<{ readonly pieces: readonly string[]; readonly close: () => void }> {
  const { robots } = await startRobotGame(ada, bola, url, "", { game: "chess" });
  await expect(findSquare(ada.page, "d2")).toHaveAttribute("aria-description", "can move");
  return { pieces: await readPieces(ada.page), close: () => closeRobots(robots) };
}

// [GAME-50 §-] Two fingers on the board zoom or scroll the page and move no piece. A drag that begins outside of the
// board selects nothing.
test("a pinch on the board moves and selects nothing, and the next press plays as always [GAME-50]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: PHONE });
  const { page } = ada;
  const { pieces, close } = await startAtPhone(ada, await addPlayer("bola"), arena.url);

  // Both begin on pieces that may move, where the board itself takes what one finger does.
  for (const [first, second] of [
    ["d2", "g2"],
    ["e4", "d2"],
    ["e5", "a6"],
  ] as const) {
    const touch = await touchSquare(page, first);
    await touch.addFinger(first, second);
    await touch.moveTo("d3", "g6");
    await touch.moveTo("d4", "g8");
    await touch.lift();
    await expectUntouched(page, pieces);
  }

  // Two fingers that move together, the second one later than the drag.
  const scroll = await touchSquare(page, "d2");
  await scroll.moveTo("d3");
  await expect(page.locator(".piece.held")).toHaveCount(1);
  await scroll.addFinger("d3", "f3");
  await scroll.moveTo("d4", "f4");
  await scroll.moveTo("d5", "f5");
  await scroll.lift();
  await expectUntouched(page, pieces);

  await findSquare(page, "d2").tap();
  await findSquare(page, "d4").tap();
  await expect(page).toHaveTitle(/^Opponent's turn/);
  await expect(findSquare(page, "d4")).toHaveAccessibleName("d4, white pawn");
  close();
});

test("a drag that begins outside of the board selects nothing [GAME-50]", async ({ newPlayer, addPlayer, arena }) => {
  const ada = await newPlayer("ada", { context: PHONE });
  const { page } = ada;
  const { pieces, close } = await startAtPhone(ada, await addPlayer("bola"), arena.url);
  const screen = await page.context().newCDPSession(page);
  const card = (await page.locator(".player-card.below").boundingBox())!;
  const outside = { x: card.x + card.width / 2, y: card.y + 8 };
  for (const square of ["d2", "d4"]) {
    const box = (await findSquare(page, square).boundingBox())!;
    const inside = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await screen.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [outside] });
    await screen.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [inside] });
    await screen.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expectUntouched(page, pieces);

    await page.mouse.move(outside.x, outside.y);
    await page.mouse.down();
    await page.mouse.move(inside.x, inside.y, { steps: 4 });
    await expect(page.locator(".piece.held")).toHaveCount(0);
    await page.mouse.up();
    await expectUntouched(page, pieces);
  }
  close();
});
