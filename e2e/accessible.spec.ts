import type { Page } from "@playwright/test";
import { expectAccessibleAnyhow } from "./axe.ts";
import { byClicks, findSquare, readPlace } from "./board.ts";
import { auditAfterwards, expect, type Person, test, UNREACHABLE } from "./fixtures.ts";
import { connectRobot, playLine, type Robot } from "./robot.ts";
import { runDown } from "./steps.ts";
import { closeAll, FOUR_PLIES } from "./tables.ts";

/** White's pawn comes to a7, from where it can take the knight on b8. */
const BEFORE_PROMOTION = "a2-a4 b7-b5 a4-b5 a7-a6 b5-a6 g7-g6 a6-a7 g6-g5";

test.use({ hasTableClock: true });
// Axe is slow where others use the machine too.
test.describe.configure({ timeout: 180_000 });
auditAfterwards();

type Pair = readonly [Robot, Robot];

async function connectPair(ada: Person, bola: Person, url: string): Promise<Pair> {
  return [await connectRobot(ada, url), await connectRobot(bola, url)];
}

async function openGame(page: Page, gameId: string): Promise<void> {
  await page.goto(`/game/${gameId}`);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
}

/** Opens a dialog by its button, has it looked at, and closes it. */
async function inspectDialog(page: Page, button: string, title: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog).toBeVisible();
  await expectAccessibleAnyhow(page, `${title} is asked`);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

test("axe finds nothing on a table from its waiting to its first moves, nor where it is cancelled or a flag fell", async ({
  arrive,
  visit,
  arena,
}) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const visitor = await visit();
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  for (const page of [ada.page, bola.page, visitor]) await openGame(page, gameId);
  await expectAccessibleAnyhow(ada.page, "waiting, its creator");
  await inspectDialog(ada.page, "Cancel", "Cancel Game?");
  await expectAccessibleAnyhow(bola.page, "waiting, another player");
  await expectAccessibleAnyhow(visitor, "waiting, a visitor");

  await robots[1].join(gameId);
  await expect(ada.page.getByText("Make your first move:")).toBeVisible();
  await expectAccessibleAnyhow(ada.page, "own first move");
  await expectAccessibleAnyhow(bola.page, "the opponent's first move");
  await expectAccessibleAnyhow(visitor, "a game watched");
  await robots[0].cancel(gameId);
  await expect(visitor.getByRole("heading", { name: "Game cancelled" })).toBeVisible();
  await openGame(ada.page, gameId);
  await expectAccessibleAnyhow(ada.page, "cancelled");

  const timed = await robots[0].create("chess", 1);
  await robots[1].join(timed);
  await playLine(timed, robots, "e2-e4 e7-e5 g1-f3 b8-c6");
  await openGame(bola.page, timed);
  const clock = bola.page.getByRole("timer", { name: `Clock of ${ada.username}` });
  await runDown(arena, clock, 1_500, () => playLine(timed, robots, "a2-a3 a7-a6"));
  await expect(bola.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expectAccessibleAnyhow(bola.page, "time is up");
  closeAll(robots);
});

test("axe finds nothing on a game of checkers, its dialogs and what is asked there [DRAUGHT-03c]", async ({
  arrive,
  arena,
}) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const { page } = ada;
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await openGame(page, gameId);
  await expect(page.getByText("You must capture.").first()).toBeVisible();
  await expectAccessibleAnyhow(page, "must capture");
  await byClicks(page, ["h4"]);
  await expectAccessibleAnyhow(page, "a piece held");
  await inspectDialog(page, "Resign", "Resign Game?");
  await inspectDialog(page, "Options", "Options");
  await inspectDialog(page, "Board settings", "Board settings");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectDialog(page, "Menu", "Menu");
  await page.getByRole("button", { name: bola.username }).click();
  await expect(page.getByRole("dialog", { name: "Player Record" }).getByText("Games played")).toBeVisible();
  await expectAccessibleAnyhow(page, "the opponent's record");
  await inspectDialog(page, "Report", "Report");

  await robots[1].act({ type: "request_takeback", gameId });
  await expect(page.getByRole("dialog", { name: "Takeback Request" })).toBeVisible();
  await expectAccessibleAnyhow(page, "a takeback is asked for");
  await robots[1].act({ type: "offer_draw", gameId });
  await expect(page.getByRole("dialog", { name: "Draw Offer" })).toBeVisible();
  await expectAccessibleAnyhow(page, "a takeback is asked for, and a draw offered");
  await page.getByRole("dialog", { name: "Takeback Request" }).getByRole("button", { name: "Decline" }).click();
  await expect(page.getByRole("dialog", { name: "Takeback Request" })).toBeHidden();
  await expectAccessibleAnyhow(page, "a draw is offered");

  await robots[0].move(gameId, "h4-f6");
  await expect(page).toHaveTitle(/^Opponent's turn/);
  await robots[0].act({ type: "offer_draw", gameId });
  await robots[0].act({ type: "request_takeback", gameId });
  await expect(page.getByRole("button", { name: "Draw offered" })).toBeVisible();
  await expectAccessibleAnyhow(page, "the opponent's turn, a draw and a takeback asked for");
  closeAll(robots);
});

test("axe finds nothing on a game's chat, on a connection lost, nor on its end and its papers", async ({
  arrive,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await arrive("ada", { context: { baseURL: arena.wire.url } });
  const bola = await arrive("bola");
  const { page } = ada;
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, `${FOUR_PLIES} h4-f6`);
  await openGame(page, gameId);
  await robots[1].act({ type: "chat", gameId, text: "👍".repeat(190) });
  await expect(page.getByRole("button", { name: "Chat" })).toHaveAccessibleName("Chat 1 unread");
  await expectAccessibleAnyhow(page, "a message unread");
  robots[1].close();
  await page.getByRole("button", { name: "Chat" }).click();
  const chat = page.getByRole("dialog", { name: "Game Chat" });
  await chat.getByRole("textbox", { name: "Message" }).fill("a".repeat(200));
  await expectAccessibleAnyhow(page, "the chat open");
  await chat.getByRole("button", { name: `Mute ${bola.username}` }).click();
  await expect(chat.getByRole("button", { name: "Unmute" })).toBeVisible();
  await expectAccessibleAnyhow(page, "the opponent muted");
  await chat.getByRole("button", { name: "Close chat" }).click();
  await expect(page.getByRole("region", { name: bola.username })).toContainText("Offline for");
  await expectAccessibleAnyhow(page, "the opponent is offline");

  // what was connected ends, and nothing comes to stand in its place
  arena.wire.mend();
  arena.wire.cut();
  await expect(page.getByText("Connection lost. Reconnecting...")).toBeVisible();
  await expectAccessibleAnyhow(page, "reconnecting");
  await ada.context.setOffline(true);
  await expect(page.getByText("You are offline. Trying again...")).toBeVisible();
  await expectAccessibleAnyhow(page, "offline");
  arena.wire.mend();
  await ada.context.setOffline(false);
  await expect(page.getByText("Trying again...")).toHaveCount(0);

  await robots[0].act({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Settlement" })).toContainText("In the end");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("The chain is whole.")).toBeVisible();
  await page.getByRole("button", { name: "Exact figures" }).click();
  await expectAccessibleAnyhow(page, "lost, its settlement shown and its log checked");
  await openGame(bola.page, gameId);
  await expect(bola.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await bola.page.getByRole("button", { name: "Offer Rematch" }).click();
  await expect(page.getByRole("dialog", { name: "Rematch Offer" })).toBeVisible();
  await expectAccessibleAnyhow(page, "a rematch is offered");
  await expectAccessibleAnyhow(bola.page, "won, a rematch asked for");
  robots[0].close();
});

test("axe finds nothing on a game of chess in any of its states [CHESS-09]", async ({ arrive, arena }) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const { page } = ada;
  const settings = {
    premove: true,
    moveConfirmation: true,
    promotionChoice: true,
    moveField: true,
    coordinates: true,
    theme: "kola",
  };
  await page.addInitScript((kept) => localStorage.setItem("holo.board", kept), JSON.stringify(settings));
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("chess", 1, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, BEFORE_PROMOTION);
  await openGame(page, gameId);
  await expect(page).toHaveTitle(/^Your turn/);
  await expectAccessibleAnyhow(page, "own turn");
  await page.getByRole("textbox", { name: "Move", exact: true }).fill("Qh8");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Qh8 is not a legal move here.")).toBeVisible();
  await expectAccessibleAnyhow(page, "no move typed");

  await byClicks(page, ["a7", "b8"]);
  const chooser = page.getByRole("dialog", { name: "Promote to" });
  await expect(chooser).toBeVisible();
  await expectAccessibleAnyhow(page, "a promotion to be chosen");
  await chooser.getByRole("button", { name: "knight" }).click();
  const confirm = page.getByRole("region", { name: "Confirm move" });
  await expect(confirm).toContainText("axb8=N");
  await expectAccessibleAnyhow(page, "a move to be confirmed");
  await confirm.getByRole("button", { name: "Confirm" }).click();
  await robots[1].see(gameId, ({ moves }) => moves.length === 9);

  for (const [square, described] of [
    ["d2", "can premove"],
    ["d4", "can be premoved to"],
  ] as const) {
    await expect(findSquare(page, square)).toHaveAttribute("aria-description", described);
    await findSquare(page, square).click();
  }
  await expect(page.locator(".piece.ghost")).toHaveCount(1);
  await expectAccessibleAnyhow(page, "a premove");
  await robots[1].move(gameId, "e7-e6");
  await robots[1].move(gameId, "f8-b4");
  await expect(page.getByText("Your king is in check.")).toBeVisible();
  expect(await readPlace(page.locator(".mark.check"))).toEqual(await readPlace(findSquare(page, "e1")));
  await expectAccessibleAnyhow(page, "check");

  await page.getByRole("button", { name: "Previous move" }).first().click();
  await expect(page.getByRole("region", { name: "Earlier position" })).toBeVisible();
  await expectAccessibleAnyhow(page, "an earlier position");
  const offer = await robots[1].act({ type: "offer_draw", gameId });
  const { boardVersion } = await robots[0].see(gameId, ({ offers }) => offers.draw.standing !== null);
  await robots[0].act({ type: "answer_draw", gameId, offer, answer: "accept", atVersion: boardVersion });
  await expect(page.getByRole("heading", { name: "Draw", exact: true })).toBeVisible();
  await expectAccessibleAnyhow(page, "a draw, an earlier position shown");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expectAccessibleAnyhow(page, "a draw");
  closeAll(robots);
});
