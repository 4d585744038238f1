import type { Page } from "@playwright/test";
import {
  byClicks,
  byDrags,
  byKeys,
  findSquare,
  isFlipped,
  observeShifts,
  playGame,
  readBox,
  readPieces,
  SHORT_CHECKERS,
  touchSquare,
} from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { startGame } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, openGame, playPlies, startRobotGame } from "../support/tables.ts";

const SCHOLARS_MATE = "e2-e4 e7-e5 f1-c4 b8-c6 d1-h5 g8-f6 h5-f7";
/** White's man on d4 can capture two or four pieces and ends on h4 either way. */
const BEFORE_TWO_CAPTURES = "g3-h4 f6-g5 h4-f6 e7-g5 f2-g3 d8-e7 e1-f2 b6-c5 c3-d4 d6-e5";

test.use({ contextOptions: { reducedMotion: "no-preference" } });
auditAfterwards();

/** A piece is selected while it is pressed, replaced by another and deselected. */
async function selectPieces(page: Page): Promise<void> {
  await findSquare(page, "c3").hover();
  await page.mouse.down();
  await expect(findSquare(page, "c3")).toHaveAttribute("aria-selected", "true");
  await page.mouse.up();
  await expect(findSquare(page, "d4")).toHaveAttribute("aria-description", "can be moved to");
  await expect(findSquare(page, "c3")).toHaveAttribute("aria-selected", "true");
  await findSquare(page, "e3").click();
  await expect(findSquare(page, "c3")).toHaveAttribute("aria-selected", "false");
  await expect(findSquare(page, "f4")).toHaveAttribute("aria-description", "can be moved to");
  await findSquare(page, "e3").click();
  await expect(findSquare(page, "e3")).toHaveAttribute("aria-selected", "false");
}

// [GAME-01 §2] On wide screens each player has a card with name and clock (m:ss), a banner shows whose turn it is,
// and checkers has a card of captured pieces.
// [GAME-07 §2] Player 2 sees the board from black's side.
// [GAME-19 §2] During a whole game, with its result, nothing on the page shifts, and nothing shifts when home opens
// an active game. The contrast of the last move on light squares is at least 1.4:1. A held piece is above every ring.
// [ROLE-03 §6] Players create, browse, join and play matches.
// [CONST-02 §9 r4] The platform earns 7.4 % of both stakes of a won or drawn game, and nothing from a cancelled one.
test("a game of checkers is played by clicks [GAME-01 GAME-07 GAME-19 ENT-06 ROLE-03 CONST-02 CONST-07]", async ({
  newPlayer,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const gameId = await startGame(ada, bola, { stake: "5", minutes: "10" });
  expect(await database.balance(ada.id)).toBe("435.560000");
  expect(await database.balance(bola.id)).toBe("435.560000");
  expect(await database.escrow(gameId)).toBe("128.880000");
  await expect(ada.page).toHaveTitle(/^Your turn/);
  await expect(bola.page).toHaveTitle(/^Opponent's turn/);
  expect(await isFlipped(ada.page)).toBe(false);
  expect(await isFlipped(bola.page)).toBe(true);
  await expect(ada.page.locator(".pieces b")).toHaveText(Array.from({ length: 24 }, () => "5"));
  for (const { username } of [ada, bola]) {
    const card = ada.page.getByRole("region", { name: username });
    await expect(card.getByRole("timer", { name: `Clock of ${username}` })).toHaveText("10:00");
  }
  await expect(ada.page.getByRole("heading", { name: "Your turn" })).toBeVisible();
  await expect(bola.page.getByRole("heading", { name: "Opponent's turn" })).toBeVisible();
  const captured = ada.page.getByRole("region", { name: "Captured pieces" });
  await expect(captured).toContainText("You0");
  await selectPieces(ada.page);
  await findSquare(bola.page, "b6").click({ force: true });
  await expect(findSquare(bola.page, "b6")).toHaveAttribute("aria-selected", "false");

  const players = [
    { page: ada.page, hand: byClicks },
    { page: bola.page, hand: byClicks },
  ] as const;
  const shifts = await Promise.all([ada, bola].map(({ page }) => observeShifts(page)));
  await playGame("checkers", players, SHORT_CHECKERS);
  await expect(ada.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(bola.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  const won = ada.page.getByRole("main");
  await expect(won).toContainText(`${bola.username} has no pieces left.`);
  await expect(captured).toContainText("You12");
  await expect(won).toContainText("You received120.00 HC");
  await expect(won).toContainText("(7.4%)4.44 HC");
  await expect(won).toContainText("Balance555.56 HC");
  await expect(bola.page.getByRole("main")).toContainText("Balance435.56 HC");
  for (const readShifts of shifts) expect(await readShifts()).toEqual([]);
  expect(await readPieces(ada.page)).toEqual(await readPieces(bola.page));
  expect(await database.balance(ada.id)).toBe("555.560000");
  expect(await database.balance(bola.id)).toBe("435.560000");
  expect(await database.revenue(gameId)).toBe("8.880000");
  expect(await database.escrow(gameId)).toBe("0.000000");
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "stake", "win"]);
});

// [GAME-05 §2] Chess has a chess board, oriented towards the player.
test("a game of chess is played to mate by dragging and by keyboard [GAME-05 GAME-19 ROLE-03 GAME-30]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola", { context: { viewport: { width: 390, height: 844 } } });
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, "", { game: "chess" });
  closeRobots(robots);
  expect(await database.balance(ada.id)).toBe("482.816000");
  const players = [
    { page: ada.page, hand: byDrags },
    { page: bola.page, hand: byKeys },
  ] as const;
  const shifts = await Promise.all([ada, bola].map(({ page }) => observeShifts(page)));
  await playGame("chess", players, SCHOLARS_MATE);
  for (const theme of ["forest", "kola"]) {
    await expect.poll(() => readLastMoveContrast(ada.page, theme)).toBeGreaterThan(1.4);
  }

  await expect(ada.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(bola.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(bola.page.getByRole("main")).toContainText("Checkmate. Your king cannot escape.");
  await expect(ada.page.locator(".board-frame [aria-live]")).toHaveText(
    `You won. Checkmate. ${bola.username}'s king cannot escape.`,
  );
  await expect(bola.page.locator(".board-frame [aria-live]")).toHaveText(
    `${ada.username}: queen h5 to f7, capturing a pawn. You lost. Checkmate. Your king cannot escape.`,
  );
  await expect(findSquare(bola.page, "f6")).toBeFocused();
  await expect(bola.page.getByRole("list", { name: "Moves" })).toContainText("Qxf7#");
  await expect(ada.page.getByRole("main")).toContainText("You received32.00 HC");
  await expect(ada.page.getByRole("main")).toContainText("Balance514.81 HC");
  for (const readShifts of shifts) expect(await readShifts()).toEqual([]);
  expect(await database.balance(ada.id)).toBe("514.816000");
  expect(await database.balance(bola.id)).toBe("482.816000");
  expect(await database.revenue(gameId)).toBe("2.368000");
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "stake", "win"]);
});

// [GAME-06 §2] Checkers is played by clicks on an 8x8 board, with the stake on each piece and a crown on each king.
test("the chosen one of two captures with the same ends is played [GAME-06 GAME-19]", async ({ newPlayer, arena }) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 1);
  await robots[1].join(gameId);
  await playLine(gameId, robots, BEFORE_TWO_CAPTURES);
  await ada.page.goto(`/game/${gameId}`);
  await bola.page.goto(`/game/${gameId}`);

  await findSquare(ada.page, "d4").hover();
  await ada.page.mouse.down();
  for (const landing of ["b6", "f6"]) {
    await expect(findSquare(ada.page, landing)).toHaveAttribute("aria-description", /captures/);
  }
  await findSquare(ada.page, "e5").hover();
  const { x, y, height } = (await findSquare(ada.page, "f6").boundingBox())!;
  await ada.page.mouse.move(x + 4, y + height - 4);
  await expect.poll(() => readBox(ada.page.locator(".mark.victim"))).toEqual(await readBox(findSquare(ada.page, "e5")));
  expect(await listDrawnInCorner(ada.page, "e5")).toEqual(["piece held", "piece", "mark victim"]);
  await findSquare(ada.page, "d4").hover();
  await ada.page.mouse.up();
  await findSquare(ada.page, "h4").click({ force: true });
  await expect(ada.page).toHaveTitle(/^Your turn/);
  await findSquare(ada.page, "b6").click();
  await expect(findSquare(ada.page, "c3")).toHaveAttribute("aria-description", /captures/);
  await findSquare(ada.page, "h4").click();
  await expect(ada.page).toHaveTitle(/^Opponent's turn/);
  const { moves } = await robots[0].waitForTable(gameId, (table) => table.moves.length === 11);
  expect(moves.at(10)?.move.captured).toHaveLength(4);
  await expect(bola.page.getByRole("list", { name: "Moves" })).toContainText("d4:b6:d8:f6:h4");
  expect(await readPieces(bola.page)).toEqual(await readPieces(ada.page));
  await expect(findSquare(bola.page, "h4")).toHaveAccessibleName("h4, white king");
  await expect(bola.page.locator('.pieces use[href="#crowned-1"]')).toHaveCount(1);
  for (const robot of robots) robot.close();
});

// [GAME-02 §2] On phones the opponent is shown above the board and the player below it.
test("a finger drags a piece, and the square beneath it is marked [GAME-02 GAME-16]", async ({ newPlayer, arena }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const ada = await newPlayer("ada", { context: phone });
  const bola = await newPlayer("bola");
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("chess", 1, 10);
  await robots[1].join(gameId);
  await ada.page.goto(`/game/${gameId}`);
  await expect(findSquare(ada.page, "e2")).toHaveAttribute("aria-description", "can move");
  const tops: number[] = [];
  for (const shown of [
    ada.page.getByRole("region", { name: bola.username }),
    ada.page.getByRole("grid", { name: "Board" }),
    ada.page.getByRole("region", { name: ada.username }),
  ]) {
    tops.push((await readBox(shown))![1]!);
  }
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));

  const vibrations = await recordVibrations(ada.page);
  await findSquare(ada.page, "d2").tap();
  const before = await vibrations();
  const finger = await touchSquare(ada.page, "e2");
  await expect(findSquare(ada.page, "e2")).toHaveAttribute("aria-selected", "true");
  await expect(findSquare(ada.page, "e4")).toHaveAttribute("aria-description", "can be moved to");
  expect(await vibrations()).toBe(before + 1);
  const target = ada.page.locator(".mark.target");
  await finger.moveTo("f3");
  await expect(target).toHaveCount(0);
  await finger.moveTo("e3");
  await expect.poll(() => readBox(target)).toEqual(await readBox(findSquare(ada.page, "e3")));
  await finger.lift();
  await expect(findSquare(ada.page, "e3")).toHaveAccessibleName("e3, white pawn");
  await expect(target).toHaveCount(0);
  const { moves } = await robots[1].waitForTable(gameId, (table) => table.moves.length === 1);
  expect(moves).toHaveLength(1);
  for (const robot of robots) robot.close();
});

/** The classes of what is drawn in the upper right corner of a square, the topmost first. */
async function listDrawnInCorner(page: Page, square: string): Promise<readonly string[]> {
  return await findSquare(page, square).evaluate((cell) => {
    const inert = document.querySelectorAll<HTMLElement>(".board .pieces, .board .mark");
    for (const element of inert) element.style.pointerEvents = "auto";
    const { x, y, width, height } = cell.getBoundingClientRect();
    const drawn = document.elementsFromPoint(x + 0.85 * width, y + 0.15 * height);
    for (const element of inert) element.style.removeProperty("pointer-events");
    const kinds = ["piece", "held", "mark", "victim"];
    const named = drawn.map(({ classList }) => kinds.filter((kind) => classList.contains(kind)).join(" "));
    return named.filter((name) => name !== "" && name !== "mark");
  });
}

/** The contrast of a last move on a light square, by WCAG 2, from the colours that are drawn. */
async function readLastMoveContrast(page: Page, theme: string): Promise<number> {
  return await page.evaluate((board) => {
    document.documentElement.dataset.board = board;
    const canvas = document.createElement("canvas").getContext("2d")!;
    const paint = (selector: string): number => {
      canvas.fillStyle = getComputedStyle(document.querySelector(selector)!).backgroundColor;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    // the second colour is drawn over the first
    const [light, marked] = [paint(".board"), paint(".mark.last.on-light")];
    return Math.max(light, marked) / Math.min(light, marked);
  }, theme);
}

async function recordVibrations(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { vibrations: 0 });
    navigator.vibrate = () => {
      (window as unknown as { vibrations: number }).vibrations += 1;
      return true;
    };
  });
  return () => page.evaluate(() => (window as unknown as { vibrations: number }).vibrations);
}

test("the words beside captured pieces are whole on phones and in low windows [CHESS-11]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const { robots } = await startRobotGame(ada, await addPlayer("bola"), arena.url, "e2-e4 d7-d5 e4-d5", {
    game: "chess",
  });
  const card = ada.page.getByRole("region", { name: ada.username });
  await expect(card.getByRole("img", { name: "Captured 1 pawn. 1 point ahead." })).toBeVisible();
  for (const [width, height] of [
    [390, 844],
    [320, 568],
    [844, 390],
    [1280, 720],
  ] as const) {
    await ada.page.setViewportSize({ width, height });
    const words = card.locator(".said");
    await expect(words).toHaveText("You play white");
    const cutPx = await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(cutPx, `${width}x${height}`).toBe(0);
  }
  closeRobots(robots);
});

test("the lead stays beside the captured pieces, and an offer leaves the board in place, in other fonts [CHESS-11]", async ({
  newPlayer,
  addPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED.*woff2/);
  const ada = await newPlayer("ada");
  await ada.page.route("**/*.woff2", (route) => route.abort());
  const line = "h2-h4 g7-g5 h4-g5 h7-h6 g5-h6 a7-a6 h6-h7 a6-a5 h7-g8";
  const { robots } = await startRobotGame(ada, await addPlayer("bola"), arena.url, line, { game: "chess" });
  const material = ada.page.getByRole("img", { name: "13 points ahead." });
  const lead = await material.locator("text").boundingBox();
  const pieces = await material.locator("rect").boundingBox();
  expect(lead!.x + lead!.width).toBeLessThanOrEqual(pieces!.x);

  await ada.page.setViewportSize({ width: 360, height: 616 });
  const board = ada.page.getByRole("grid", { name: "Board" });
  const place = await readBox(board);
  await ada.page.getByRole("button", { name: "Offer Draw" }).click();
  await expect(ada.page.getByRole("button", { name: "Draw offered" })).toBeVisible();
  expect(await readBox(board)).toEqual(place);
  closeRobots(robots);
});

test("the sentence of a result is whole on a narrow phone, also in a wide font [GAME-13]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const { page, ...ada } = await newPlayer("ada", {
    context: { viewport: { width: 360, height: 616 }, reducedMotion: "reduce" },
  });
  const { gameId, robots } = await startRobotGame({ ...ada, page }, await addPlayer("bola"), arena.url, FOUR_PLIES);
  const offer = await robots[1].send({ type: "offer_draw", gameId });
  const { boardVersion } = await robots[0].waitForTable(gameId, ({ offers }) => offers.draw.pending !== null);
  await robots[0].send({ type: "answer_draw", gameId, offer, answer: "accept", atVersion: boardVersion });
  const drawn = "Draw Accepted. Game ended in a draw. Stakes returned (minus holo fee).";
  const sentence = page.getByRole("paragraph").filter({ hasText: drawn }).last();
  await expect(sentence).toBeVisible();
  for (const font of ["", "Verdana, 'DejaVu Sans'"]) {
    for (const name of ["--font", "--display"]) {
      await page.evaluate((set) => document.documentElement.style.setProperty(...set), [name, font] as const);
    }
    const cutPx = await sentence.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(cutPx, font).toBeLessThanOrEqual(1);
    const steps = await page.getByRole("button", { name: "Previous move" }).boundingBox();
    const { y, height } = (await sentence.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(steps!.y + 1);
  }
  closeRobots(robots);
});

test("the focus of an action on a phone is marked within the window", async ({ newPlayer, addPlayer, arena }) => {
  const ada = await newPlayer("ada", { context: { viewport: { width: 390, height: 844 } } });
  const { robots } = await startRobotGame(ada, await addPlayer("bola"), arena.url, "");
  await ada.page.getByRole("button", { name: "Options" }).focus();
  // A focus by script is marked as one by keyboard after a key.
  await ada.page.keyboard.press("Shift+Tab");
  const beyondPx = await ada.page.getByRole("button", { name: "Chat" }).evaluate((button) => {
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(button);
    if (outlineStyle === "none") return Number.NaN;
    const ringPx = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    return button.getBoundingClientRect().bottom + ringPx - window.innerHeight;
  });
  expect(beyondPx).toBeLessThanOrEqual(0);
  closeRobots(robots);
});

test("a hidden tab gives no notice of a table that another tab shows [PROF-08]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  await ada.page.addInitScript(() => {
    class Noted {
      static permission = "granted";
      constructor(title: string) {
        const { dataset } = document.documentElement;
        dataset.notices = `${dataset.notices ?? ""}${title}. `;
      }
    }
    Object.defineProperty(window, "Notification", { value: Noted });
  });
  const game = await startRobotGame(await addPlayer("bola"), ada, arena.url, FOUR_PLIES);
  const other = await ada.context.newPage();
  await openGame(other, game.gameId);
  await ada.page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await playPlies(game, 2);
  await expect(ada.page).toHaveTitle(/^Opponent's turn/);
  await expect(ada.page.locator("html")).not.toHaveAttribute("data-notices");
  await other.getByRole("banner").getByRole("link", { name: "Matches" }).click();
  // The bar of that page shows the turn.
  await expect(other.getByRole("link", { name: "Rejoin" })).toBeVisible();
  await playPlies(game, 2);
  await expect(ada.page.locator("html")).not.toHaveAttribute("data-notices");
  await other.close();
  // The browser lists the locks of a closed page for a while.
  const countLocks = () => ada.page.evaluate(async () => (await navigator.locks.query()).held?.length);
  await expect.poll(countLocks).toBe(0);
  await playPlies(game, 1);
  await expect(ada.page.locator("html")).toHaveAttribute("data-notices", "Your turn. ");
  closeRobots(game.robots);
});
