import type { Locator, Page } from "@playwright/test";
import { byClicks, findSquare, readBox, storeBoardSettings } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { closeRobots, openGame, startRobotGame } from "../support/tables.ts";

auditAfterwards();

const BOARDS = ["Forest", "Kola", "Adire", "Zuma", "Sahel", "Zobo"];
const OPENING = "e2-e4 e7-e5 g1-f3 b8-c6";

function findSheet(page: Page): Locator {
  return page.getByRole("dialog", { name: "Board settings" });
}

async function openSheet(page: Page): Promise<Locator> {
  const inList = page.locator(".move-list").getByRole("button", { name: "Board settings" });
  if (await inList.isVisible()) await inList.click();
  else {
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("dialog", { name: "Options" }).getByRole("button", { name: "Board settings" }).click();
  }
  await expect(findSheet(page)).toBeVisible();
  return findSheet(page);
}

/** The WCAG contrast of pairs of the page's colours, the first drawn over the second. */
async function readContrasts(page: Page, pairs: readonly (readonly [string, string])[]): Promise<readonly number[]> {
  return await page.evaluate((wanted) => {
    const canvas = document.createElement("canvas").getContext("2d")!;
    const styles = getComputedStyle(document.documentElement);
    const paint = (name: string): number => {
      canvas.fillStyle = styles.getPropertyValue(name);
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    return wanted.map(([over, under]) => {
      const [below, above] = [paint(under), paint(over)];
      return Math.max(below, above) / Math.min(below, above);
    });
  }, pairs);
}

/** As the look asks for them. An ebony piece is seen by its dark edge and its bright halo. */
const CONTRASTS: readonly (readonly [over: string, under: string, least: number])[] = [
  ["--sq-light", "--sq-dark", 4.5],
  ["--wd-face", "--sq-dark", 3],
  ["--bd-edge", "--sq-dark", 3],
  ["--bd-face", "--sq-dark", 2],
  ["--bd-halo", "--sq-dark", 1.8],
  ["--bd-halo", "--bd-face", 3],
  ["--bd-face", "--sq-light", 7],
  ["--bd-edge", "--wd-face", 7],
  ["--wd-label", "--wd-face", 7],
  ["--bd-label", "--bd-face", 7],
  ["--mk-legal", "--sq-dark", 3],
  ["--mk-select", "--sq-dark", 3],
  ["--mk-legal-on-light", "--sq-light", 3],
  ["--mk-capture", "--bd-face", 3],
  ["--mk-capture", "--sq-dark", 2],
  ["--coord", "--frame", 4.5],
  ["--mk-last", "--sq-dark", 1.3],
  ["--mk-last-on-light", "--sq-light", 1.4],
];

// [GAME-45 §-] Board settings are a sheet beside the board, on phones below it: the board and both clocks stay in
// sight and in use, and show every choice at once. They are kept on the device.
test("settings show at once on a board that stays in use, and last on this device [GAME-45 GAME-05]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  const { robots, gameId } = await startRobotGame(ada, await addPlayer("bola"), arena.url, "", { game: "chess" });
  const ranks = page.locator(".board-frame .ranks");
  const sheet = await openSheet(page);
  await expect(sheet).toBeFocused();
  await sheet.getByRole("radio", { name: "Adire" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-board", "adire");
  await sheet.getByRole("radio", { name: "Plain" }).check();
  const king = page.locator("#king-1");
  await expect(king).toHaveAttribute("viewBox", "0 0 100 100");
  await sheet.getByRole("switch", { name: "Coordinates" }).click();
  await expect(ranks).toBeHidden();
  await sheet.getByRole("radio", { name: "Slow" }).check();
  const piece = page.locator(".piece").first();
  await expect(piece).toHaveCSS("transition-duration", "0s");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await expect(piece).toHaveCSS("transition-duration", "0.36s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await sheet.getByRole("slider", { name: "Volume" }).fill("4");
  await sheet.getByRole("button", { name: "Test sound" }).click();
  await sheet.getByRole("switch", { name: "Premove" }).click();
  await byClicks(page, ["e2", "e4"]);
  await expect(page).toHaveTitle(/^Opponent's turn/);
  await expect(findSquare(page, "d2")).toHaveAttribute("aria-description", "can premove");
  await expect(sheet).toBeVisible();
  await sheet.getByRole("button", { name: "Done" }).focus();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.reload();
  await expect(king).toHaveAttribute("viewBox", "0 0 100 100");
  await expect(ranks).toBeHidden();
  const light = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--sq-light"));
  expect(light).toContain("250");
  await openSheet(page);
  await expect(sheet.getByRole("slider", { name: "Volume" })).toHaveValue("4");
  await sheet.getByRole("radio", { name: "Classic" }).check();
  await expect(king).toHaveAttribute("viewBox", "7 5 86 86");

  await robots[1].cancel(gameId);
  await expect(page.getByRole("heading", { name: "Game cancelled" })).toBeVisible();
  await page.goto("/profile#settings");
  const panel = page.getByRole("region", { name: "Board settings" });
  await expect(panel.getByRole("switch", { name: "Premove" })).toBeChecked();
  await panel.getByRole("radio", { name: "Forest" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-board", "forest");
  closeRobots(robots);
});

test("the sheet covers neither the board, nor a clock, nor an offer, and closes for the result [GAME-45]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  const { robots, gameId } = await startRobotGame(ada, await addPlayer("bola"), arena.url, OPENING, { game: "chess" });
  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [768, 1024],
    [1024, 768],
    [1440, 900],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    const sheet = await openSheet(page);
    const [x = 0, y = 0, w = 0, h = 0] = (await readBox(sheet))!;
    expect(Math.min(w, h), `at ${width}x${height}`).toBeGreaterThan(150);
    for (const shown of [page.locator(".board"), ...(await page.getByRole("timer").all())]) {
      const [left = 0, top = 0, right = 0, bottom = 0] = (await readBox(shown))!;
      const isApart = left + right <= x + 1 || x + w <= left + 1 || top + bottom <= y + 1 || y + h <= top + 1;
      expect(isApart, `at ${width}x${height}`).toBe(true);
    }
    await sheet.getByRole("button", { name: "Done" }).click();
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const sheet = await openSheet(page);
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(page.getByRole("dialog", { name: "Draw Offer" })).toBeVisible();
  await expect(sheet).toBeHidden();
  await page.getByRole("dialog", { name: "Draw Offer" }).getByRole("button", { name: "Decline" }).click();
  await expect(sheet).toBeVisible();
  await robots[1].send({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(sheet).toHaveCount(0);
  closeRobots(robots);
});

// [GAME-46 §-] There are six boards and three sets of pieces for each game. Every board keeps the contrasts of pieces,
// marks and coordinates. Drawings that are not chosen are not loaded.
test("every board keeps its contrasts; drawings load when they are chosen [GAME-46]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: { isFirstVisit: true } });
  const { page } = ada;
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  const isLoaded = (name: string) => loaded.some((file) => file.startsWith(`/assets/${name}-`));
  const { robots } = await startRobotGame(ada, await addPlayer("bola"), arena.url, OPENING, { game: "chess" });
  await expect(page.locator("#king-1")).toBeAttached();
  expect(["chess-plain", "chess-token", "checkers-plain", "boards", "settings-sheet"].filter(isLoaded)).toEqual([]);
  const sheet = await openSheet(page);
  await expect(sheet.getByRole("radio")).toHaveCount(BOARDS.length + 3 + 4);
  for (const board of BOARDS) {
    await sheet.getByRole("radio", { name: board }).check();
    const contrasts = await readContrasts(
      page,
      CONTRASTS.map(([over, under]) => [over, under]),
    );
    for (const [index, [over, under, least]] of CONTRASTS.entries()) {
      expect(contrasts[index], `${board}: ${over} on ${under}`).toBeGreaterThanOrEqual(least);
    }
  }
  closeRobots(robots);
});

test("on phones the coordinates are in the squares unless they are switched off [GAME-46]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada", { context: { viewport: { width: 390, height: 844 } } });
  const { page } = ada;
  const { robots, gameId } = await startRobotGame(ada, await addPlayer("bola"), arena.url, OPENING, { game: "chess" });
  const corner = (await findSquare(page, "a1").boundingBox())!;
  const rank = page.locator(".board-frame .ranks li").last();
  await expect(rank).toHaveText("1");
  const shown = (await rank.boundingBox())!;
  expect(shown.x).toBeGreaterThanOrEqual(corner.x);
  expect(shown.y).toBeGreaterThanOrEqual(corner.y - 1);
  expect((await page.locator(".board").boundingBox())!.width).toBe(390);
  await storeBoardSettings(page, { coordinates: false });
  await openGame(page, gameId);
  await expect(rank).toBeHidden();
  closeRobots(robots);
});

// [GAME-47 §-] Zen shows the board and the clocks alone. Z or a switch begins it; Z, Escape or a button ends it.
// Offers, moves to confirm and running times still appear.
test("Zen leaves the board, the clocks and what waits for an answer [GAME-47]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  await storeBoardSettings(page, { moveConfirmation: true });
  const { robots, gameId } = await startRobotGame(ada, await addPlayer("bola"), arena.url, OPENING, { game: "chess" });
  const draw = page.getByRole("button", { name: "Offer Draw" });
  const clocks = page.getByRole("timer");
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(draw).toBeVisible();
    await page.keyboard.press("z");
    await expect(draw).toBeHidden();
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.locator(".move-list")).toBeHidden();
    for (const clock of await clocks.all()) await expect(clock).toBeVisible();
    await expect(findSquare(page, "e4")).toBeVisible();
    const end = page.getByRole("button", { name: "End Zen" });
    const { width: target } = (await end.boundingBox())!;
    expect(target).toBeGreaterThanOrEqual(44);
    await end.click();
    await expect(draw).toBeVisible();
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const board = await readBox(page.locator(".board"));
  await page.keyboard.press("Shift+Z");
  await expect(draw).toBeHidden();
  expect(await readBox(page.locator(".board"))).toEqual(board);

  await robots[1].send({ type: "offer_draw", gameId });
  const offer = page.getByRole("dialog", { name: "Draw Offer" });
  await expect(offer).toBeVisible();
  await offer.getByRole("button", { name: "Decline" }).click();
  await expect(offer).toBeHidden();
  await expect(draw).toBeHidden();
  await byClicks(page, ["f1", "b5"]);
  await expect(page.getByRole("region", { name: "Confirm move" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Confirm move" })).toBeHidden();
  await expect(draw).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(draw).toBeVisible();

  const sheet = await openSheet(page);
  await sheet.getByRole("switch", { name: /^Zen/ }).click();
  await expect(draw).toBeHidden();
  await expect(sheet).toBeVisible();
  await sheet.getByRole("button", { name: "Done" }).click();
  await robots[1].send({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  closeRobots(robots);
});

// [GAME-48 §-] Below 720 px of height the move list of a phone is one strip to swipe, and the row of steps names the
// last move. The board goes from edge to edge, and targets are 44 px high.
test("on low phones the moves are one scrolling strip that keeps the last move in sight [GAME-48]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { page } = ada;
  const line = `${OPENING} f1-b5 a7-a6 b5-a4 g8-f6 b1-c3 f8-c5`;
  const { robots, gameId } = await startRobotGame(ada, await addPlayer("bola"), arena.url, line, { game: "chess" });
  const list = page.getByRole("list", { name: "Moves" });
  for (const [width, height] of [
    [360, 560],
    [360, 600],
    [360, 640],
    [375, 667],
    [390, 664],
    [412, 719],
  ] as const) {
    await page.setViewportSize({ width, height });
    const size = `at ${width}x${height}`;
    await expect(list, size).toBeVisible();
    expect((await page.locator(".board").boundingBox())!.width, size).toBe(width);
    const last = list.getByRole("button", { name: "Bc5" });
    await expect(last, size).toBeInViewport({ ratio: 0.9 });
    const boxes = await Promise.all((await list.getByRole("button").all()).map((button) => button.boundingBox()));
    expect(new Set(boxes.map((box) => Math.round(box!.y))).size, size).toBe(1);
    expect(Math.min(...boxes.map((box) => Math.min(box!.width, box!.height))), size).toBeGreaterThanOrEqual(44);
    await list.getByRole("button", { name: "Nf3" }).click();
    await expect(page.getByRole("region", { name: "Earlier position" })).toContainText("Move 3 of 10");
    await page.getByRole("button", { name: "Last move" }).last().click();
    await expect(last, size).toBeInViewport({ ratio: 0.9 });
  }
  await page.setViewportSize({ width: 375, height: 667 });
  await expect(page.locator(".history-steps")).toContainText("5… Bc5");
  await robots[0].move(gameId, "d2-d3");
  await expect(page.locator(".history-steps")).toContainText("6. d3");
  await expect(list.getByRole("button", { name: "d3" })).toBeInViewport({ ratio: 0.9 });
  closeRobots(robots);
});
