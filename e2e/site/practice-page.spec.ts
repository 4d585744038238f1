import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { byClicks, byKeys, findSquare, readPieces } from "../support/board.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";

const PHONE = { width: 360, height: 640 };
/** White mates at once by a1-a8. */
const MATE = new URLSearchParams({ game: "chess", fen: "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", as: "white" });

auditAfterwards();

function findStatus(page: Page) {
  return page.locator(".practice-status");
}

function findControl(page: Page, name: string) {
  return page.getByRole("main").getByRole("button", { name });
}

function findSpoken(page: Page) {
  return page.locator(".practice-board [aria-live=polite]");
}

interface Choices {
  readonly game: string;
  readonly side: string;
  readonly level: string;
}

async function startGame(page: Page, { game, side, level }: Choices): Promise<void> {
  await findControl(page, "New Game").click();
  const dialog = page.getByRole("dialog", { name: "New practice game" });
  await dialog.getByRole("radio", { name: game }).check();
  await dialog.getByRole("radio", { name: side }).check();
  await dialog.getByLabel("Computer").selectOption(level);
  await dialog.getByRole("button", { name: "Start Game" }).click();
  await expect(dialog).toHaveCount(0);
}

// [PRAC-03 §4] The practice page has both games, both colours and six computers: Random, Beginner, Casual, Steady,
// Strong and Expert. The last choices are kept on the device, and a game survives a reload.
test("practice is played in both games, from both sides and on every level, and goes on after a reload [PRAC-03 PRAC-05]", async ({
  newVisitor,
}) => {
  const page = await newVisitor();
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Practice" }).click();
  await expect(page).toHaveURL("/practice");
  await expect(page.locator(".practice-terms")).toHaveText("Checkers · Beginner · You play white");
  await expect(findStatus(page)).toHaveText("Your Turn (White)");
  await byClicks(page, ["c3", "d4"]);
  await expect(page.getByRole("list", { name: "Moves" })).toHaveText(/^1\.c3-d4\w\d[-:]/);
  await expect(findStatus(page)).toHaveText("Your Turn (White)");

  for (const level of ["Random", "Beginner", "Casual", "Steady", "Strong", "Expert"]) {
    await startGame(page, { game: "Chess", side: "Black", level });
    await expect(page.locator(".practice-terms")).toHaveText(`Chess · ${level} · You play black`);
    await expect(findStatus(page)).toHaveText("Your Turn (Black)", { timeout: 30_000 });
    await expect(findSpoken(page)).toHaveText(/^AI: .*\. Your Turn \(Black\)\.$/);
  }
  // The computer's answer replaces what is said of the player's move.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await byKeys(page, ["a7", "a6"]);
  await expect(findSpoken(page)).toHaveText("You: pawn a7 to a6. AI's Turn (White).");
  await page.clock.resume();
  await expect(findStatus(page)).toHaveText("Your Turn (Black)", { timeout: 30_000 });
  const [pieces, moves] = [await readPieces(page), await page.getByRole("list", { name: "Moves" }).innerText()];
  expect(moves).toContain("a6");

  await page.reload();
  await expect(page.locator(".practice-terms")).toHaveText("Chess · Expert · You play black");
  await expect(findStatus(page)).toHaveText("Your Turn (Black)");
  expect(await readPieces(page)).toEqual(pieces);
  expect(await page.getByRole("list", { name: "Moves" }).innerText()).toBe(moves);

  await page.evaluate(() => localStorage.setItem("holo.practice", '{"game":"chess","moves":[[0,1]]}'));
  await page.reload();
  await expect(page.locator(".practice-terms")).toHaveText("Checkers · Beginner · You play white");
});

// [PRAC-04 §4] On the practice page a hint shows the best move as an arrow and says it. Take Back and Restart work as
// at home.
test("a hint shows the best move until the next one, and moves are taken back [PRAC-04 PRAC-06]", async ({
  newVisitor,
}) => {
  const page = await newVisitor({ viewport: PHONE });
  await page.goto(`/practice?${MATE}`);
  await expect(page).toHaveURL("/practice");
  await expect(findStatus(page)).toHaveText("Your Turn (White)");
  const start = await readPieces(page);
  const arrow = page.locator(".board .drawings path");
  await expect(findControl(page, "Take Back")).toBeDisabled();
  await findControl(page, "Hint").click();
  await expect(findSpoken(page)).toHaveText("Hint: rook a1 to a8.");
  await expect(arrow).toHaveCount(2);
  await expectAccessible(page, "a hint in practice");

  await byClicks(page, ["a1", "a8"]);
  await expect(findStatus(page)).toHaveText("You Won!");
  await expect(page.getByText("Checkmate.", { exact: true })).toBeVisible();
  await expect(arrow).toHaveCount(0);
  await expect(findControl(page, "Hint")).toBeDisabled();
  await findControl(page, "Take Back").press("Enter");
  await expect(findSpoken(page)).toHaveText("Taken back: rook a1 to a8. Your Turn (White).");
  expect(await readPieces(page)).toEqual(start);
  await expect(findControl(page, "Take Back")).toBeFocused();

  await byClicks(page, ["a1", "a7"]);
  await expect(findStatus(page)).toHaveText("Your Turn (White)", { timeout: 30_000 });
  await findControl(page, "Restart").click();
  await expect(findStatus(page)).toHaveText("Your Turn (White)");
  expect(await readPieces(page)).toEqual(start);
  await findControl(page, "New Game").click();
  await expectAccessible(page, "a new practice game is chosen", { inLargeText: true });
});

test("an address that cannot be played starts a new game and says so [PRAC-06]", async ({ newVisitor }) => {
  const page = await newVisitor();
  for (const search of ["game=chess&fen=nonsense", "game=go", "level=9"]) {
    await page.goto(`/practice?${search}`);
    await expect(page.getByText("That position couldn't be set up, so this is a new game.")).toBeVisible();
    await expect(findStatus(page)).toHaveText("Your Turn (White)");
  }
  await page.goto("/practice?game=chess&as=black&level=1");
  await expect(findStatus(page)).toHaveText("Your Turn (Black)");
  await expect(findSquare(page, "e8")).toHaveAccessibleName("e8, black king");
});

// [PRAC-08 §-] A computer that cannot go on ends the saved game: a reload begins a new one with the same choices.
test("a game that the computer cannot go on with is not opened again [PRAC-08]", async ({
  newVisitor,
  expectedErrors,
}) => {
  expectedErrors.push(/no such position/);
  const page = await newVisitor({ isFirstVisit: true });
  await page.route(/engine-worker/, (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `addEventListener("message", ({ data }) => postMessage({ id: data.id, fault: "no such position" }));
        postMessage("ready");`,
    }),
  );
  await page.goto("/practice?game=chess&as=white&level=3");
  await byClicks(page, ["e2", "e4"]);
  const reload = page.getByRole("button", { name: "Reload" });
  await expect(reload).toBeVisible();
  await reload.click();
  await expect(page.locator(".practice-terms")).toHaveText("Chess · Steady · You play white");
  await expect(findSquare(page, "e2")).toHaveAccessibleName("e2, white pawn");
});

// [PRAC-09 §-] Practice and review have the board settings of the table, beside the board.
test("board settings open beside the practice board and show at once [PRAC-09]", async ({ newVisitor }) => {
  const page = await newVisitor({ viewport: PHONE });
  await page.goto("/practice?game=chess&as=white&level=0");
  await findControl(page, "Board settings").click();
  const sheet = page.getByRole("dialog", { name: "Board settings" });
  await sheet.getByRole("radio", { name: "Kola" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-board", "kola");
  await expectAccessible(page, "board settings in practice");
  await byClicks(page, ["e2", "e4"]);
  await expect(findSquare(page, "e4")).toHaveAccessibleName("e4, white pawn");
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(sheet).toHaveCount(0);
  await expect(findControl(page, "Board settings")).toBeFocused();
});
