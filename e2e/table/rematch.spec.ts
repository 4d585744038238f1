import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test, UNREACHABLE } from "../support/fixtures.ts";
import { answer, ENTRY_HC, findOffer, press, resign } from "../support/offers.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { findToast, readDelayUntilLeft, readGameId } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

const POT_HC = 24;

auditAfterwards();

test("a rematch offered on a phone without a connection says so, and arrives later [PRES-04]", async ({
  newPlayer,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(UNREACHABLE);
  const ada = await newPlayer("ada", { context: { baseURL: arena.proxy.url, viewport: { width: 390, height: 844 } } });
  const bola = await newPlayer("bola");
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
  const result = ada.page.locator(".result-head");
  await expect(result).toContainText("You lost");
  await ada.context.setOffline(true);
  arena.proxy.cut();
  await press(ada.page, "Offer Rematch");
  await expect(ada.page.getByRole("button", { name: "Offering..." })).toBeVisible();
  await expect(result).toContainText("You are offline.");
  arena.proxy.restore();
  await ada.context.setOffline(false);
  await expect(findOffer(bola.page, "Rematch Offer")).toBeVisible();
  await expect(result).toContainText(`Waiting for ${bola.username} to accept`);
});

// [GAME-09 §2 r19] A completed game offers 'Offer Rematch'.
// [ERR-27 §8] A rematch shows 'Rematch Accepted!' to the player who accepts and 'Rematch Started!' to the other, with
// 'Opening new game...'.
test("two rematches in a row swap colours and pay every coin [GAME-09 ERR-27 CONST-13 GAME-10 GAME-18]", async ({
  newPlayer,
  newVisitor,
  arena,
  database,
}) => {
  test.slow();
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const { gameId: first, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  const watcher = await newVisitor();
  await watcher.goto(`/game/${first}`);
  await expect(watcher.getByRole("grid", { name: "Board" })).toBeVisible();
  let gameId = first;
  let [white, black] = [ada, bola];
  const wins = new Map([ada, bola].map((person) => [person.id, 0]));

  const [adasToasts, bolasToasts] = [await recordToasts(ada.page), await recordToasts(bola.page)];
  for (let rematch = 1; rematch <= 2; rematch += 1) {
    const [loser, winner] = rematch % 2 === 1 ? [white, black] : [black, white];
    await resign(loser);
    wins.set(winner.id, wins.get(winner.id)! + 1);
    await expect(winner.page.getByRole("heading", { name: "You won" })).toBeVisible();
    await expect(winner.page.getByRole("main")).toContainText("A rematch costs 12.89 HC: 12.00 + 0.89 fee.");
    for (const person of [ada, bola]) {
      const coins = 500 - ENTRY_HC * rematch + POT_HC * wins.get(person.id)!;
      expect(await database.balance(person.id)).toBe(coins.toFixed(6));
    }
    const pages = await winner.page.evaluate(() => window.history.length);
    await press(winner.page, "Offer Rematch");
    await expect(winner.page.getByRole("button", { name: "Rematch offered" })).toBeDisabled();
    await expect(findOffer(loser.page, "Rematch Offer")).toContainText(
      `${winner.username} wants a rematch. You play ${loser === white ? "black" : "white"}.`,
    );
    const delay = readDelayUntilLeft(loser.page);
    await answer(loser.page, "Rematch Offer", "Accept");
    await expect(findToast(loser.page, "Rematch Accepted!")).toContainText("Opening new game...");
    expect(await delay).toBe(100);
    await expect(findToast(winner.page, "Rematch Started!")).toContainText("Opening new game...");
    for (const { page } of [ada, bola]) await expect(page).not.toHaveURL(new RegExp(gameId));
    gameId = await readGameId(winner.page);
    expect(await readGameId(loser.page)).toBe(gameId);
    expect(await winner.page.evaluate(() => window.history.length)).toBe(pages);
    [white, black] = [black, white];
    expect(await database.escrow(gameId)).toBe("25.776000");
    const [one, two] = white === ada ? robots : ([robots[1], robots[0]] as const);
    const table = await one.waitForTable(gameId, ({ status }) => status === "active");
    expect(table.players).toEqual([white.id, black.id]);
    await playLine(gameId, [one, two], FOUR_PLIES);
    await expect(white.page.getByRole("button", { name: "Resign" })).toBeVisible();
    if (rematch > 1) continue;
    await expect(watcher).toHaveURL(new RegExp(first));
    await watcher.getByRole("link", { name: "Watch the rematch" }).click();
    await expect(watcher).toHaveURL(new RegExp(gameId));
  }
  const about = async (readToasts: typeof adasToasts) =>
    (await readToasts()).filter((title) => title.includes("ematch"));
  expect(await about(adasToasts)).toEqual(Array.from({ length: 2 }, () => "Rematch Accepted!"));
  expect(await about(bolasToasts)).toEqual(Array.from({ length: 2 }, () => "Rematch Started!"));
  await resign(black);
  await expect(white.page.getByRole("heading", { name: "You won" })).toBeVisible();
  await expect(white.page.getByText(`You 1 : 2 ${black.username}`)).toBeVisible();
  await expect(black.page.getByText(`You 2 : 1 ${white.username}`)).toBeVisible();
  expect(Number(await database.balance(ada.id)) + Number(await database.balance(bola.id))).toBeCloseTo(
    1_000 - 3 * (2 * ENTRY_HC - POT_HC),
    6,
  );
  closeRobots(robots);
});

async function recordToasts(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const titles: string[] = [];
    Object.assign(window, { toastTitles: titles });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (node instanceof Element && node.matches(".toast"))
            titles.push(node.querySelector("b")?.textContent ?? "");
        }
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { toastTitles: readonly string[] }).toastTitles);
}

test("a rematch is not offered if a player lacks coins, and both are told", async ({ newPlayer, arena, database }) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola", { hc: 20 })];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await resign(bola);
  await expect(bola.page.getByRole("main")).toContainText("A rematch costs 12.89 HC, and you have 7.11.");
  await expect(bola.page.getByRole("button", { name: "Offer Rematch" })).toBeDisabled();
  await expect(robots[1].send({ type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS })).rejects.toThrow(
    "You need 12.89 holocoins (you have 7.11)",
  );
  await press(ada.page, "Offer Rematch");
  await expect(findOffer(bola.page, "Rematch Offer")).toContainText("A rematch costs 12.89 HC, and you have 7.11.");
  await answer(bola.page, "Rematch Offer", "Accept");
  await expect(findToast(bola.page, "No rematch")).toContainText("You don't have enough holocoins for a rematch.");
  await expect(findToast(ada.page, "No rematch")).toContainText(
    `${bola.username} doesn't have enough holocoins for a rematch.`,
  );
  await expect(ada.page.getByRole("main")).toContainText(
    `${bola.username} doesn't have enough holocoins for a rematch.`,
  );
  await expect(ada.page).toHaveURL(new RegExp(gameId));
  expect(await database.balance(ada.id)).toBe("511.112000");
  expect(await database.balance(bola.id)).toBe("7.112000");
  closeRobots(robots);
});

// [OFFER-02 §4 r19] A rematch that is declined or not answered within a minute ends, and both players are notified.
test("a declined rematch is final, and one lapses when a player leaves or plays elsewhere [OFFER-02]", async ({
  newPlayer,
  newVisitor,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("bola")];
  const { gameId, robots } = await startRobotGame(ada, bola, arena.url, FOUR_PLIES);
  await expect(robots[0].send({ type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS })).rejects.toThrow(
    "played to its end",
  );
  const watcher = await newVisitor();
  await watcher.goto(`/game/${gameId}`);
  await resign(ada);
  closeRobots(robots);

  await press(ada.page, "Offer Rematch");
  await expect(findOffer(bola.page, "Rematch Offer")).toContainText("You pay in 12.89 HC (12.00 + 0.89 fee).");
  await bola.page.reload();
  await expect(findOffer(bola.page, "Rematch Offer")).toContainText(/0:\d\d/);
  await answer(bola.page, "Rematch Offer", "Decline");
  await expect(findToast(ada.page, "Rematch Declined")).toContainText(`${bola.username} declined a rematch.`);
  await expect(ada.page.getByRole("button", { name: "Offer Rematch" })).toHaveCount(0);
  await ada.page.reload();
  await expect(ada.page.getByRole("main")).toContainText(`${bola.username} declined a rematch.`);
  await expect(bola.page.getByRole("button", { name: "Offer Rematch" })).toBeEnabled();

  await press(bola.page, "Offer Rematch");
  await expect(findOffer(ada.page, "Rematch Offer")).toBeVisible();
  await ada.page.getByRole("link", { name: "Matches" }).last().click();
  await expect(findToast(bola.page, "No rematch").last()).toContainText(`${ada.username} left the table.`);

  await ada.page.goBack();
  await expect(ada.page.getByRole("grid", { name: "Board" })).toBeVisible();
  await press(bola.page, "Offer Rematch");
  await expect(findOffer(ada.page, "Rematch Offer")).toBeVisible();
  const robot = await connectRobot(ada, arena.url);
  const other = await robot.create("chess", 1);
  await expect(findToast(bola.page, "No rematch").last()).toContainText(`${ada.username} opened another game.`);
  await expect(bola.page.getByRole("main")).toContainText(`${ada.username} opened another game.`);
  await expect(watcher.getByRole("dialog")).toHaveCount(0);
  await robot.cancel(other);
  robot.close();
});
