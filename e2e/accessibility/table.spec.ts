import type { Page } from "@playwright/test";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { expectAccessible } from "../support/axe.ts";
import { byClicks, byKeys, findSquare, readBox, storeBoardSettings } from "../support/board.ts";
import { auditAfterwards, expect, test, UNREACHABLE } from "../support/fixtures.ts";
import { findLayoutFaults } from "../support/layout.ts";
import { connectRobot, playLine, type Robot } from "../support/robot.ts";
import { closeRobots, FOUR_PLIES, openGame } from "../support/tables.ts";

/** White's pawn reaches a7 and can capture the knight on b8. */
const BEFORE_PROMOTION = "a2-a4 b7-b5 a4-b5 a7-a6 b5-a6 g7-g6 a6-a7 g6-g5";

test.describe.configure({ timeout: 180_000 });
auditAfterwards();

type Pair = readonly [Robot, Robot];

async function connectPair(ada: TestPlayer, bola: TestPlayer, url: string): Promise<Pair> {
  return [await connectRobot(ada, url), await connectRobot(bola, url)];
}

async function inspectDialog(page: Page, button: string, title: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: title });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, `${title} is asked`);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}

test("a table is accessible while waiting, at its start and when cancelled", async ({
  newPlayer,
  newVisitor,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  const visitor = await newVisitor();
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  for (const page of [ada.page, bola.page, visitor]) await openGame(page, gameId);
  await expectAccessible(ada.page, "waiting, its creator");
  await inspectDialog(ada.page, "Cancel", "Cancel Game?");
  await expectAccessible(bola.page, "waiting, another player");
  for (const [width, height] of [
    [320, 454],
    [390, 844],
  ] as const) {
    await bola.page.setViewportSize({ width, height });
    const wanted = { seen: [".table-actions .button"], apart: [".turn-banner", ".join-terms", ".table-actions"] };
    expect(await findLayoutFaults(bola.page, [wanted], ["100%"]), `${width}x${height}`).toEqual([]);
  }
  await expectAccessible(visitor, "waiting, a visitor");

  await robots[1].join(gameId);
  await expect(ada.page.getByText("Make your first move:")).toBeVisible();
  await expectAccessible(ada.page, "own first move");
  await expectAccessible(bola.page, "the opponent's first move");
  await expectAccessible(visitor, "a game watched");
  await robots[0].cancel(gameId);
  await expect(visitor.getByRole("heading", { name: "Game cancelled" })).toBeVisible();
  await openGame(ada.page, gameId);
  await expectAccessible(ada.page, "cancelled");
  closeRobots(robots);
});

test("a game of checkers and its dialogs are accessible [DRAUGHT-03]", async ({ newPlayer, addPlayer, arena }) => {
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const { page } = ada;
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await openGame(page, gameId);
  await expect(page.getByText("You must capture.").first()).toBeVisible();
  await expectAccessible(page, "must capture");
  await byClicks(page, ["h4"]);
  await expectAccessible(page, "a piece held");
  await inspectDialog(page, "Resign", "Resign Game?");
  await inspectDialog(page, "Options", "Options");
  await page.getByRole("button", { name: "Board settings" }).first().click();
  const sheet = page.getByRole("dialog", { name: "Board settings" });
  await expect(sheet.getByRole("radio", { name: "Zobo" })).toBeAttached();
  await expectAccessible(page, "board settings");
  await sheet.getByRole("button", { name: "Done" }).click();
  await expect(sheet).toBeHidden();
  await page.keyboard.press("z");
  await expect(page.getByRole("button", { name: "End Zen" })).toBeVisible();
  await expectAccessible(page, "Zen");
  await page.getByRole("button", { name: "End Zen" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await inspectDialog(page, "Menu", "Menu");
  await page.getByRole("button", { name: bola.username }).click();
  await expect(page.getByRole("dialog", { name: "Player Record" }).getByText("Games played")).toBeVisible();
  await expectAccessible(page, "the opponent's record");
  await inspectDialog(page, "Report", "Report");

  await robots[1].send({ type: "request_takeback", gameId });
  await expect(page.getByRole("dialog", { name: "Takeback Request" })).toBeVisible();
  await expectAccessible(page, "a takeback is asked for");
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(page.getByRole("dialog", { name: "Draw Offer" })).toBeVisible();
  await expectAccessible(page, "a takeback is asked for, and a draw offered");
  await page.getByRole("dialog", { name: "Takeback Request" }).getByRole("button", { name: "Decline" }).click();
  await expect(page.getByRole("dialog", { name: "Takeback Request" })).toBeHidden();
  await expectAccessible(page, "a draw is offered");

  await robots[0].move(gameId, "h4-f6");
  await expect(page).toHaveTitle(/^Opponent's turn/);
  await robots[0].send({ type: "offer_draw", gameId });
  await robots[0].send({ type: "request_takeback", gameId });
  await expect(page.getByRole("button", { name: "Draw offered" })).toBeVisible();
  await expectAccessible(page, "the opponent's turn, a draw and a takeback asked for");
  closeRobots(robots);
});

// [GAME-24 §2] While the device is offline, a dialog that confirms an act says so, and its button rests.
test("the chat, a lost connection, the result and the game's details are accessible [GAME-24]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { baseURL: arena.proxy.url } });
  const bola = await newPlayer("bola");
  const { page } = ada;
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, `${FOUR_PLIES} h4-f6`);
  await openGame(page, gameId);
  await robots[1].send({ type: "chat", gameId, text: "👍".repeat(190) });
  await expect(page.getByRole("button", { name: "Chat" })).toHaveAccessibleName("Chat 1 unread");
  await expectAccessible(page, "a message unread");
  robots[1].close();
  await page.getByRole("button", { name: "Chat" }).click();
  const chat = page.getByRole("dialog", { name: "Game Chat" });
  await chat.getByRole("textbox", { name: "Message" }).fill("a".repeat(200));
  await expectAccessible(page, "the chat open");
  await chat.getByRole("button", { name: `Mute ${bola.username}` }).click();
  await expect(chat.getByRole("button", { name: "Unmute" })).toBeVisible();
  await expectAccessible(page, "the opponent muted");
  await chat.getByRole("button", { name: "Close chat" }).click();
  await expect(page.getByRole("region", { name: bola.username })).toContainText("Offline for");
  await expectAccessible(page, "the opponent is offline");

  arena.proxy.restore();
  // The note is replaced by another one after a few seconds.
  await page.evaluate(() => {
    const notes = new Set<string>();
    new MutationObserver(() => {
      const note = document.querySelector(".connection-lost");
      if (note?.checkVisibility()) notes.add(note.textContent);
      document.documentElement.dataset.notes = [...notes].join(" ");
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  arena.proxy.cut();
  await expect(page.locator("html")).toHaveAttribute("data-notes", /Connection lost\. Reconnecting\.\.\./);
  await expect(page.locator(".connection-lost")).toBeVisible();
  await expectAccessible(page, "reconnecting");
  await ada.context.setOffline(true);
  await expect(page.getByText("You are offline. Trying again...")).toBeVisible();
  await expectAccessible(page, "offline");
  await page.getByRole("button", { name: "Resign" }).click();
  const question = page.getByRole("dialog", { name: "Resign Game?" });
  await expect(question).toContainText("You are offline. This works again as soon as you're back online.");
  await expect(question.getByRole("button", { name: "Resign" })).toBeDisabled();
  await question.getByRole("button", { name: "Keep Playing" }).click();
  arena.proxy.restore();
  await ada.context.setOffline(false);
  await expect(page.getByText("Trying again...")).toHaveCount(0);

  await robots[0].send({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Settlement" })).toContainText("Net result");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByText("The chain is whole.")).toBeVisible();
  await page.getByRole("button", { name: "Exact figures" }).click();
  await expectAccessible(page, "lost, its settlement shown and its log checked");
  await openGame(bola.page, gameId);
  await expect(bola.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await bola.page.getByRole("button", { name: "Offer Rematch" }).click();
  await expect(page.getByRole("dialog", { name: "Rematch Offer" })).toBeVisible();
  await expectAccessible(page, "a rematch is offered");
  await expectAccessible(bola.page, "won, a rematch asked for");
  robots[0].close();
});

// [CHESS-09 §4] A king in check is highlighted on the board, and its player is notified.
test("a game of chess is accessible in every state, and a pawn is promoted by keyboard [CHESS-09 SITE-13]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const { page } = ada;
  const settings = {
    premove: true,
    moveConfirmation: true,
    promotionChoice: true,
    moveField: true,
    coordinates: true,
    theme: "kola",
  };
  await storeBoardSettings(page, settings);
  const robots = await connectPair(ada, bola, arena.url);
  const gameId = await robots[0].create("chess", 1, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, BEFORE_PROMOTION);
  await openGame(page, gameId);
  await expect(page).toHaveTitle(/^Your turn/);
  await expectAccessible(page, "own turn");
  await page.getByRole("textbox", { name: "Move", exact: true }).fill("Qh8");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Qh8 isn't a legal move here.")).toBeVisible();
  await expectAccessible(page, "no move typed");

  await byClicks(page, ["a7", "b8"]);
  const chooser = page.getByRole("dialog", { name: "Promote to" });
  await expect(chooser.getByRole("button", { name: "queen" })).toBeFocused();
  await expectAccessible(page, "a promotion to be chosen");
  await page.keyboard.press("Escape");
  await expect(chooser).toBeHidden();
  await expect(findSquare(page, "a7")).toHaveAccessibleName("a7, white pawn");
  await byKeys(page, ["a7", "b8"]);
  await expect(chooser.getByRole("button", { name: "queen" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(chooser.getByRole("button", { name: "knight" })).toBeFocused();
  await page.keyboard.press("Enter");
  const confirm = page.getByRole("region", { name: "Confirm move" });
  await expect(confirm).toContainText("axb8=N");
  await expectAccessible(page, "a move to be confirmed");
  await page.keyboard.press("Enter");
  const { moves } = await robots[1].waitForTable(gameId, (table) => table.moves.length === 9);
  expect(moves.at(8)?.move.promotion).toBe("n");
  await expect(findSquare(page, "b8")).toHaveAccessibleName("b8, white knight");
  await expect(page.getByRole("list", { name: "Moves" })).toContainText("axb8=N");

  for (const [square, described] of [
    ["d2", "can premove"],
    ["d4", "can be premoved to"],
  ] as const) {
    await expect(findSquare(page, square)).toHaveAttribute("aria-description", described);
    await findSquare(page, square).click();
  }
  await expect(page.locator(".piece.ghost")).toHaveCount(1);
  await expectAccessible(page, "a premove");
  await robots[1].move(gameId, "e7-e6");
  await robots[1].move(gameId, "f8-b4");
  await expect(page.getByText("Your king is in check.")).toBeVisible();
  expect(await readBox(page.locator(".mark.check"))).toEqual(await readBox(findSquare(page, "e1")));
  await expectAccessible(page, "check");

  await page.getByRole("button", { name: "Previous move" }).first().click();
  await expect(page.getByRole("region", { name: "Earlier position" })).toBeVisible();
  await expectAccessible(page, "an earlier position");
  const offer = await robots[1].send({ type: "offer_draw", gameId });
  const { boardVersion } = await robots[0].waitForTable(gameId, ({ offers }) => offers.draw.pending !== null);
  await robots[0].send({ type: "answer_draw", gameId, offer, answer: "accept", atVersion: boardVersion });
  await expect(page.getByRole("heading", { name: "Draw", exact: true })).toBeVisible();
  await expectAccessible(page, "a draw, an earlier position shown");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await expectAccessible(page, "a draw");
  closeRobots(robots);
});
