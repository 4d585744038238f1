import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Move, Square } from "@holo/rules/rules.ts";
import { formatSquare, parseSquare } from "@holo/rules/square.ts";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { EMPTY_PAGE } from "./page-pool.ts";

export type InputMethod = (page: Page, presses: readonly string[]) => Promise<void>;

export const SHORT_CHECKERS =
  "a3-b4 d6-c5 b4-d6 e7-c5 c3-d4 h6-g5 g3-f4 f8-e7 f4-h6-f8-d6-a3 f6-e5 d4-f6 c7-d6 a3-f8 d8-e7 f6-d8-a5 a7-b6 a5-d8 b8-c7 d8-a5 h8-g7 f8-h6";

export async function storeBoardSettings(page: Page, settings: Readonly<Record<string, unknown>>): Promise<void> {
  await page.goto(EMPTY_PAGE);
  await page.evaluate((kept) => localStorage.setItem("holo.board", kept), JSON.stringify(settings));
}

export function findSquare(page: Page, square: string): Locator {
  return page.getByRole("grid", { name: "Board" }).locator(`[data-square="${square}"]`);
}

async function waitForTurn(page: Page, square: string): Promise<void> {
  await expect(findSquare(page, square)).toHaveAttribute("aria-description", /can move|must capture/);
}

export const byClicks: InputMethod = async (page, presses) => {
  await waitForTurn(page, presses[0]!);
  for (const square of presses) await findSquare(page, square).click();
};

export const byDrags: InputMethod = async (page, presses) => {
  await waitForTurn(page, presses[0]!);
  for (const [index, square] of presses.slice(1).entries()) {
    await startDrag(page, presses[index]!, square);
    await page.mouse.up();
  }
};

/** Lifts the piece and leaves the button down. */
export async function startDrag(page: Page, from: string, to: string): Promise<void> {
  await moveMouse(page, from);
  await page.mouse.down();
  await moveMouse(page, to);
}

export async function touchSquare(page: Page, square: string) {
  const screen = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchMove", ...squares: readonly string[]) => {
    const touchPoints = await Promise.all(squares.map((at) => findCentre(page, at)));
    await screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", square);
  return {
    moveTo: (...next: readonly string[]) => touch("touchMove", ...next),
    addFinger: (first: string, second: string) => touch("touchStart", first, second),
    lift: () => screen.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }),
  };
}

export async function readBox(shown: Locator): Promise<readonly number[] | null> {
  const box = await shown.boundingBox();
  return box && [box.x, box.y, box.width, box.height].map(Math.round);
}

export async function moveMouse(page: Page, square: string): Promise<void> {
  const { x, y } = await findCentre(page, square);
  await page.mouse.move(x, y, { steps: 4 });
}

async function findCentre(page: Page, square: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = await findSquare(page, square).boundingBox();
  if (box === null) throw new Error(`${square} is not shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Tab focuses the board, arrows move the focus, Enter presses the square. */
export const byKeys: InputMethod = async (page, presses) => {
  await waitForTurn(page, presses[0]!);
  for (const square of presses) {
    await moveFocusTo(page, square);
    await page.keyboard.press("Enter");
  }
};

const TABS_MAX = 25;

async function moveFocusTo(page: Page, square: string): Promise<void> {
  const readFocused = () => page.evaluate(() => document.activeElement?.getAttribute("data-square") ?? null);
  for (let tab = 0; (await readFocused()) === null; tab += 1) {
    expect(tab, "the board can be reached by Tab").toBeLessThan(TABS_MAX);
    await page.keyboard.press("Tab");
  }
  const side = (await isFlipped(page)) ? -1 : 1;
  const from = toSquare((await readFocused())!);
  const to = toSquare(square);
  await press(page, ((to & 7) - (from & 7)) * side, ["ArrowLeft", "ArrowRight"]);
  await press(page, ((to >> 3) - (from >> 3)) * side, ["ArrowUp", "ArrowDown"]);
  await expect(findSquare(page, square)).toBeFocused();
}

async function press(page: Page, steps: number, [back, forth]: readonly [string, string]): Promise<void> {
  for (let step = 0; step < Math.abs(steps); step += 1) await page.keyboard.press(steps < 0 ? back : forth);
}

export async function isFlipped(page: Page): Promise<boolean> {
  return await page.getByRole("grid", { name: "Board" }).evaluate((grid) => {
    const [a1, a8] = ["a1", "a8"].map((square) => grid.querySelector(`[data-square="${square}"]`));
    return a1!.getBoundingClientRect().y < a8!.getBoundingClientRect().y;
  });
}

/**
 * Plays a line from the start of a game. The board plays forced steps itself, so only the presses
 * that distinguish a path from the others are made.
 */
export async function playGame(
  game: GameType,
  players: readonly [
    { readonly page: Page; readonly hand: InputMethod },
    { readonly page: Page; readonly hand: InputMethod },
  ],
  line: string,
): Promise<void> {
  const rules = rulesOf(game);
  let position = rules.start();
  for (const [ply, text] of line.split(" ").entries()) {
    const path = text.split("-").map(toSquare);
    const { page, hand } = players[ply % 2]!;
    await hand(page, toPresses(rules.legalMoves(position), path));
    const played = rules.play(position, path);
    if (!played.ok) throw new Error(`${text} is not legal`);
    position = played.value.position;
  }
}

/**
 * The squares to press for a path: its first square, then a landing wherever legal paths diverge.
 */
export function toPresses(moves: readonly Move[], path: readonly Square[]): readonly string[] {
  const presses = path.slice(0, 1);
  let known = 1;
  for (;;) {
    const open = moves.filter((move) => path.slice(0, known).every((square, index) => move.path[index] === square));
    const isForced = () => known < path.length && open.every((move) => move.path[known] === path[known]);
    while (presses.length > 1 && isForced()) known += 1;
    if (known === path.length) return presses.map(formatSquare);
    presses.push(path[known]!);
    known += 1;
  }
}

export async function readPieces(page: Page): Promise<readonly string[]> {
  const board = page.getByRole("grid", { name: "Board" });
  await expect(board).toHaveAttribute("aria-busy", "false");
  const names = await board
    .getByRole("gridcell")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label") ?? ""));
  return names.filter((name) => !name.endsWith("empty")).sort();
}

export function toSquare(name: string): number {
  const square = parseSquare(name);
  if (!square.ok) throw new Error(`${name} is no square`);
  return square.value;
}

/**
 * Reads the layout shifts of a game since, with its result. Each is "value: the elements that
 * moved".
 */
export async function observeShifts(
  page: Page,
  options: { readonly sinceLoad?: boolean } = {},
): Promise<() => Promise<readonly string[]>> {
  // On phones the header disappears when the table appears.
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  return await readShiftsFromNow(page, options);
}

/** As `observeShifts` on any page, or everything since its load. */
export async function readShiftsFromNow(
  page: Page,
  { sinceLoad = false } = {},
): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(async (buffered) => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { readonly node: Node | null }[];
    }
    const shifts: string[] = [];
    Object.assign(window, { layoutShifts: shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(
          ({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? "gone",
        );
        shifts.push(`${value.toFixed(4)}: ${moved.map((text) => text.slice(0, 80)).join(", ")}`);
      }
    }).observe({ type: "layout-shift", buffered });
    // Earlier shifts arrive in a later task.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, sinceLoad);
  return () => page.evaluate(() => (window as unknown as { layoutShifts: readonly string[] }).layoutShifts);
}
