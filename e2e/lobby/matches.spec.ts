import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { CHECKOUT, findBalance, findPayment } from "../support/payments.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { recordSounds } from "../support/sounds.ts";
import {
  chooseTerms,
  createMatch,
  dismissToasts,
  findCard,
  findToast,
  joinMatch,
  readDelayUntilLeft,
  readGameId,
} from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

async function readHeight(shown: Locator): Promise<number> {
  return (await shown.boundingBox())?.height ?? Number.NaN;
}

/**
 * Resolves to whether a button ever shows this text from now on, even briefly, and is disabled
 * while it does.
 */
function watchButton(page: Page, text: string): Promise<boolean> {
  return page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        new MutationObserver(() => {
          const button = [...document.querySelectorAll("button")].find((one) => one.textContent === wanted);
          if (button !== undefined) resolve(button.getAttribute("aria-disabled") === "true");
        }).observe(document, { subtree: true, childList: true, characterData: true });
      }),
    text,
  );
}

// [MATCH-10 §2,9 r6] Another player's pending match offers 'Join Match' with stake and fee, such as 'Join Match
// (60.00 coins + 4.44 fee)'.
// [ERR-06 §8] A cancelled match shows 'Match Cancelled' and 'Your match has been cancelled and funds refunded'.
// [ERR-12 §8] Waiting shows 'Waiting for opponent' and 'Looking for a player to join your game...'.
test("a pending match appears on an open Matches page and goes when cancelled [MATCH-10 ERR-06 ERR-12 ENT-07]", async ({
  newPlayer,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await newPlayer("bola");
  await bola.page.goto("/matches");
  await expect(bola.page.getByRole("tabpanel")).toBeVisible();
  const card = findCard(bola.page, ada.username);

  await ada.page.clock.install();
  await createMatch(ada.page, { stake: "5", minutes: "10" });
  const toast = findToast(ada.page, "Waiting for opponent");
  await expect(toast).toContainText("Looking for a player to join your game...");
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
  await expect(card).toContainText("Checkers, 10 minutes");
  await expect(card.getByRole("heading")).toHaveText(`${ada.username} Waiting for an opponent`);
  await expect(card.getByRole("button")).toHaveText("Join Match (60.00 coins + 4.44 fee)");

  const dialog = ada.page.getByRole("dialog", { name: "Finding Match" });
  async function readPercent(): Promise<number> {
    // React draws what the stopped clock has fired in a later task.
    await ada.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(null);
        }),
    );
    return Number(await dialog.getByRole("progressbar").getAttribute("aria-valuenow"));
  }
  await ada.page.clock.pauseAt(Date.now() + 60_000);
  const before = await readPercent();
  const next = before === 100 ? 0 : before + 5;
  await ada.page.clock.runFor(200);
  expect(await readPercent()).toBe(next);
  await ada.page.clock.runFor(21 * 200);
  expect(await readPercent()).toBe(next);
  await ada.page.clock.resume();
  expect(await database.balance(ada.id)).toBe("435.560000");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(findToast(ada.page, "Match Cancelled")).toContainText(
    "Your match has been cancelled and funds refunded",
  );
  await expect(dialog).toBeHidden();
  await expect(card).toHaveCount(0);
  expect(await database.balance(ada.id)).toBe("500.000000");
});

// [HOME-15 §2] A player with a pending match sees it first, with its age, Cancel and Open, instead of 'Create a
// Match'.
// [CREATE-06 §2,9] Until an opponent joins, the dialog 'Finding Match' shows a bar that fills by 5 percent every 200
// ms and restarts at its end, and a Cancel button. A player who leaves it keeps the match.
// [CREATE-07 §2] Create Match is disabled while a match is being created.
test("Cancel closes Finding Match, leaving it keeps the match, which home shows first [CREATE-06 HOME-15 CREATE-07]", async ({
  newPlayer,
}) => {
  const ada = await newPlayer("ada");
  const second = await ada.context.newPage();
  await second.goto("/create-match");
  await expect(second.getByRole("main")).toContainText("Balance after joining:");
  await ada.page.goto("/create-match");
  const creating = watchButton(ada.page, "Creating...");
  await ada.page.getByRole("button", { name: "Create Match" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Finding Match" });
  await expect(dialog).toBeVisible();
  expect(await creating).toBe(true);
  for (let press = 0; press < 4; press += 1) await ada.page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await expect(ada.page.getByText("Balance after joining")).toHaveCount(0);
  await expect(findToast(second, "Pending game exists")).toBeVisible();
  await expect(second).toHaveURL("/matches");
  await dialog.getByRole("button", { name: "Keep and Leave" }).click();
  const pending = ada.page.getByRole("region", { name: "Waiting for opponent" });
  await expect(pending).toContainText("Checkers, 5 minutes, 12.00 HC just now");
  await expect(pending.getByRole("link", { name: "Open" })).toHaveAttribute("href", /^\/game\//);
  await expect(ada.page.getByRole("link", { name: "Create a Match" })).toHaveCount(0);
  await pending.getByRole("button", { name: "Cancel" }).click();
  await ada.page.getByRole("link", { name: "Create a Match" }).click();
  await expect(ada.page.getByRole("button", { name: "Create Match" })).toBeEnabled();
});

// [WHAT-06 §1 r7] Texts about money are true: the true rule and totals replace "winnings by captures" and "maximum
// stake of 63 holocoins".
// [MATCH-11 §2 r6] It opens the dialog 'Transaction Fee' with 'Cancel' and 'Accept & Join', which shows the remaining
// balance or that it is too low. Only accepting takes coins.
// [CONST-01 §9 r4] A player's buy-in is the stake on all pieces plus a fee of 7.4 %: 64.44 for 5 on twelve pieces.
// [CONST-04 §9 r6] The dialog before joining shows what is charged: the stake, the fee of 7.4 %, the total and the
// payout of each outcome.
test("the join dialog shows every sum before any payment [WHAT-06 MATCH-08 MATCH-11 CONST-01 CONST-04]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
}) => {
  const ada = await addPlayer("ada");
  const bola = await newPlayer("bola");
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  await bola.page.goto("/matches");
  const card = findCard(bola.page, ada.username);
  await expect(card).toContainText("60.00 HC Winner receives 120.00 HC");
  await bola.page.setViewportSize({ width: 390, height: 844 });
  const top = (await card.boundingBox())?.y ?? Number.NaN;
  const bottom = (await bola.page.getByRole("navigation").last().boundingBox())?.y ?? Number.NaN;
  const step = ((await card.boundingBox())?.height ?? Number.NaN) + 6;
  expect(top + 5 * step - 6).toBeLessThanOrEqual(bottom);
  await bola.page.setViewportSize({ width: 1280, height: 720 });
  await card.getByRole("button", { name: /^Join Match/ }).click();
  const dialog = bola.page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(dialog).toContainText("Stake, 5 HC × 12 pieces60.00 HC");
  await expect(dialog).toContainText("Platform fee (7.4%)4.44 HC");
  await expect(dialog).toContainText("Total64.44 HC₦19,718.64");
  await expect(dialog).toContainText("You win120.00 HC");
  await expect(dialog).toContainText("Draw60.00 HC");
  await expect(dialog).toContainText("Cancelled64.44 HC");
  await expect(dialog).toContainText("Balance after joining: 435.56 HC.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  expect(await database.balance(bola.id)).toBe("500.000000");
  await robot.cancel(gameId);
  robot.close();
});

// [SITE-42 §2] A press on a button whose dialog still loads is answered with 'Opening...', after four seconds also
// with an offer to try again. The dialog stays away if the player pressed elsewhere or left meanwhile.
test("a press is answered while the script of its dialog loads [SITE-42]", async ({ newPlayer, addPlayer, arena }) => {
  const ada = await addPlayer("ada");
  const { page } = await newPlayer("bola");
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  const held = Promise.withResolvers<void>();
  await page.route(/join-dialog.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/matches");
  await findCard(page, ada.username)
    .getByRole("button", { name: /^Join Match/ })
    .click();
  const opening = page.getByRole("status").filter({ hasText: "Opening..." });
  await expect(opening).toBeVisible();
  held.resolve();
  await expect(page.getByRole("dialog", { name: "Transaction Fee" })).toBeVisible();
  await expect(opening).toHaveCount(0);
  await robot.cancel(gameId);
  robot.close();
});

test("a dialog that loads for long says so and offers to try again [SITE-42]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await addPlayer("ada");
  const { page } = await newPlayer("bola", { context: { viewport: { width: 360, height: 640 } } });
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  let isLost = true;
  await page.route(/join-dialog.*\.js/, async (route) => {
    if (!isLost) await route.continue();
  });
  await page.goto("/matches");
  const join = findCard(page, ada.username).getByRole("button", { name: /^Join Match/ });
  await join.click();
  const opening = page.getByRole("status").filter({ hasText: "Opening..." });
  await expect(opening).toContainText("Your connection is slow or lost.");
  await expect(opening).toBeInViewport({ ratio: 1 });
  const tryAgain = opening.getByRole("button", { name: "Try again" });
  await page.keyboard.press("Tab");
  await expect(tryAgain).toBeVisible();
  isLost = false;
  await tryAgain.click();
  await expect(opening).toHaveCount(0);
  await join.click();
  await expect(page.getByRole("dialog", { name: "Transaction Fee" })).toBeVisible();
  await robot.cancel(gameId);
  robot.close();
});

// [CREATE-08 §2,5] Create Match is disabled if the balance does not cover the total.
// [WALL-11 §2] On phones from 320x568 up, Deposit and Withdraw are directly below the balance, without scrolling.
// [VALID-07 §5,9 r5] Joining requires the whole buy-in, stake and fee on the game's own number of pieces:
// 'Insufficient balance: You need {n} holocoins to join this match.'.
// [VALID-12 §5,8 r4] Creating requires the whole buy-in: 'Insufficient balance: You need {n} holocoins (you have
// {b})'.
test("a player without enough coins deposits first [CREATE-08 WALL-11 VALID-07 VALID-12 ERR-08 CREATE-10]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED.*\/api\/deposits\/check/);
  const ada = await addPlayer("ada");
  const poor = await newPlayer("poor", {
    hc: 64,
    // The checkout returns to the public address.
    context: { baseURL: arena.proxy.url, viewport: { width: 390, height: 844 } },
  });
  const { page } = poor;
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  await page.goto("/matches");
  await findCard(page, ada.username)
    .getByRole("button", { name: /^Join Match/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(dialog).toContainText("Insufficient balance: You need 64.44 holocoins to join this match.");
  await expect(dialog.getByRole("button", { name: "Accept & Join" })).toBeDisabled();
  await expectAccessible(page, "a match that the player cannot pay");
  await page.setViewportSize({ width: 390, height: 844 });
  await dialog.getByRole("link", { name: "Deposit ₦5,000" }).click();

  await expect(page.getByLabel("Amount in naira")).toHaveValue("5,000");
  await expectChoiceBelowBalance(page);
  await page.setViewportSize({ width: 320, height: 568 });
  await expectChoiceBelowBalance(page);
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await page.waitForURL(CHECKOUT);
  await page.getByRole("button", { name: "Cancel" }).click();
  const failure = page.getByRole("status").filter({ hasText: "Deposit of ₦5,000 not made" });
  await expect(failure).toBeVisible();
  await expect(page.getByRole("link", { name: "Back to your match" })).toHaveAttribute("href", `/game/${gameId}`);
  await findPayment(page).getByRole("button", { name: "Continue payment" }).click();
  await page.waitForURL(CHECKOUT);
  await page.getByRole("button", { name: /^Pay ₦/ }).click();
  await page.waitForURL(`/game/${gameId}`);
  await expect(findToast(page, "Deposit completed")).toContainText("₦5,000");
  await page.getByRole("button", { name: /^Join Match/ }).click();
  await expect(dialog.getByRole("button", { name: "Accept & Join" })).toBeEnabled();
  expect(await database.balance(poor.id)).toBe("80.339870");
  await robot.cancel(gameId);

  await page.goto("/create-match");
  await chooseTerms(page, { game: "Chess", stake: "5", minutes: "10" });
  await expect(page.getByRole("main")).toContainText("Insufficient balance: You need 85.92 holocoins (you have 80.33)");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();
  await page.getByRole("link", { name: "Deposit ₦5,000" }).click();
  await page.getByRole("button", { name: "Deposit ₦5,000" }).click();
  await page.waitForURL(CHECKOUT);
  // The network is lost while the player comes back.
  await page.route("**/api/deposits/check", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: /^Pay ₦/ }).click();
  await page.waitForURL(/\/create-match/);
  await expect(page.getByLabel("Game type")).toHaveValue("chess");
  await expect(page.getByLabel("Stake per piece")).toHaveValue("5");
  await expect(page.getByLabel("Time limit")).toHaveValue("10");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeEnabled();

  await page.goto("about:blank");
  const other = await connectRobot(poor, arena.url);
  for (let i = 0; i < 3; i += 1) {
    const begun = await robot.create("checkers", 1);
    await other.join(begun);
    await other.cancel(begun);
  }
  await page.goto("/create-match");
  await expect(page.getByRole("main")).toContainText("You can start a new one in 5 min.");
  await expect(page.getByRole("button", { name: "Create Match" })).toBeDisabled();
  closeRobots([robot, other]);
});

/** On a phone, without scrolling: the balance, below it Deposit and Withdraw, readable units. */
async function expectChoiceBelowBalance(page: Page): Promise<void> {
  const balance = (await findBalance(page).boundingBox())!;
  const tabs = (await page.locator(".tab-bar").boundingBox())!;
  for (const name of ["Deposit", "Withdraw"]) {
    const choice = (await page.getByRole("radio", { name }).boundingBox())!;
    expect(choice.y).toBeGreaterThanOrEqual(balance.y + balance.height);
    expect(choice.y + choice.height, name).toBeLessThanOrEqual(tabs.y);
  }
  const units = page.locator("main small");
  const sizes = await units.evaluateAll((all) => all.map((unit) => Number.parseFloat(getComputedStyle(unit).fontSize)));
  expect(Math.min(...sizes), "HC beside a figure").toBeGreaterThanOrEqual(12);
}

// [TURN-03 §4 r29] A sound plays once when the page first sees the game active.
// [FLOW-02 §4,9] About half a second after an opponent joins, the creator is taken to the game.
// [CONST-13 §9] A page moves on half a second after a match was found, two seconds after a cancellation and a tenth
// of a second after a rematch.
test("Finding Match opens the game half a second after the opponent joins [TURN-03 FLOW-02 ERR-11 CONST-13]", async ({
  newPlayer,
  database,
}) => {
  const ada = await newPlayer("ada", { context: { isAudible: true } });
  const bola = await newPlayer("bola");
  const readSounds = await recordSounds(ada.page);
  await createMatch(ada.page, { game: "Chess", stake: "1", minutes: "10" });
  await expect(ada.page.getByRole("dialog", { name: "Finding Match" })).toBeVisible();
  expect(await database.balance(ada.id), "less 16 pieces and 7.4 %").toBe("482.816000");
  const delay = readDelayUntilLeft(ada.page);
  await joinMatch(bola.page, ada.username);
  await expect(findToast(ada.page, "Match found!")).toBeVisible();
  expect(await delay).toBe(500);
  expect(await readGameId(ada.page)).toBe(await readGameId(bola.page));
  await expect.poll(() => readSounds("start")).toHaveLength(1);
  await ada.page.getByRole("link", { name: "Holo Arena, home" }).click();
  await ada.page.getByRole("link", { name: "Rejoin Active Game" }).click();
  await expect(ada.page).toHaveTitle(/^Your turn/);
  expect(await readSounds("start"), "once for a game").toHaveLength(1);
});

// [WHAT-04 §1,9 r41] The stake per piece is 1, 2, 5 or 10 holocoins, or none in a free game. Other values are refused.
// [CREATE-03 §2] Lists offer the game type (Checkers, Chess), the stake per piece and the time limit (5 minutes, 10
// minutes).
// [CREATE-04 §2 r6] A summary shows stake, platform fee and total before any coins are taken.
// [CREATE-05 §2] Cancel returns to /matches.
// [ERR-11 §8] Finding an opponent shows 'Match found!' and 'Starting game...'.
// [CONST-07 §9] Time limits are five and ten minutes per player.
test("a green dot marks terms with a waiting opponent [WHAT-04 CREATE-03 CREATE-04 CREATE-05 ERR-11 CONST-07]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await addPlayer("ada");
  const bola = await newPlayer("bola");
  const robot = await connectRobot(ada, arena.url);
  await bola.page.goto("/create-match");
  const table = bola.page.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveText(["Stake", "5min", "10min"]);
  await expect(table.getByRole("rowheader")).toHaveText(["Free", "1 HC", "2 HC", "5 HC", "10 HC"]);
  for (const [label, choices] of [
    ["Game type", ["Checkers", "Chess"]],
    ["Stake per piece", ["Free", "1 HC", "2 HC", "5 HC", "10 HC"]],
    ["Time limit", ["5 minutes", "10 minutes"]],
  ] as const) {
    await expect(bola.page.getByLabel(label).locator("option")).toHaveText([...choices]);
  }
  const square = bola.page.getByRole("button", { name: /^10 HC, 5 minutes/ });
  await expect(square).toContainText("nobody waiting");
  const gameId = await robot.create("checkers", 10, 5);
  await expect(square).toContainText("Waiting");
  await expect(square.locator(".dot")).toBeVisible();
  await square.click();
  const main = bola.page.getByRole("main");
  for (const line of ["Stake, 10 HC × 12 pieces120.00 HC", "Platform fee (7.4%)8.88 HC", "Total128.88 HC"]) {
    await expect(main).toContainText(line);
  }
  await expect(main.getByRole("link", { name: "Cancel" })).toHaveAttribute("href", "/matches");
  await bola.page.getByRole("button", { name: "Create Match" }).click();
  await expect(findToast(bola.page, "Match found!")).toContainText("Starting game...");
  expect(await readGameId(bola.page)).toBe(gameId);
  robot.close();
});

// [MATCH-01 §2] The page is titled Matches and has 'Create Match', which links to /create-match.
// [MATCH-12 §2] A player's own pending match offers 'Cancel Match', which reads 'Cancelling...' while it runs, and
// 'View', which opens the game.
// [MATCH-13 §2,6] An active match offers 'Join Game' to its two players only.
// [CREATE-09 §2] With an active game the button reads 'Finish Active Game First' and is disabled.
// [VALID-10 §5,8 r21] A player with a waiting game sees 'Pending game exists' and is taken to /matches.
// [ROLE-06 §6] Only its creator can cancel a pending match.
// [ERR-13 §8 r21] A second game shows 'Pending game exists: You have a pending game. Please cancel it or wait for an
// opponent.'.
test("a pending match blocks another game [MATCH-01 MATCH-12 MATCH-13 CREATE-09 VALID-10 ROLE-06 ERR-06 ERR-13]", async ({
  newPlayer,
  addPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const { page } = ada;
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const pending = await robots[0].create("chess", 10, 10);
  expect(await database.balance(ada.id)).toBe("328.160000");
  await page.goto("/create-match");
  await expect(findToast(page, "Pending game exists")).toContainText(
    "You have a pending game. Please cancel it or wait for an opponent.",
  );
  await expect(page).toHaveURL("/matches");
  await page.getByRole("link", { name: "Create Match" }).click({ trial: true });
  await page.getByRole("button", { name: "Dismiss" }).click();

  const card = findCard(page, ada.username);
  await page.getByRole("tab", { name: "My Matches" }).click();
  await expect(card.getByRole("link", { name: "View" })).toHaveAttribute("href", `/game/${pending}`);
  await expect(card.getByRole("button", { name: /^Join Match/ })).toHaveCount(0);
  const cancelling = watchButton(page, "Cancelling...");
  await card.getByRole("button", { name: "Cancel Match" }).click();
  await expect(findToast(page, "Match Cancelled")).toContainText("Your match has been cancelled and funds refunded");
  expect(await cancelling).toBe(true);
  expect(await database.balance(ada.id)).toBe("500.000000");
  expect(await database.listEntryKinds(pending)).toEqual(["stake", "refund"]);
  await dismissToasts(page);

  const gameId = await robots[0].create("chess", 2, 10);
  await robots[1].join(gameId);
  await readGameId(page);
  await page.getByRole("link", { name: "Matches" }).first().click();
  await expect(card.getByRole("link", { name: "Join Game" })).toHaveAttribute("href", `/game/${gameId}`);
  await card.getByRole("button", { name: "View Details" }).click();
  const details = page.getByRole("dialog", { name: "Match Details" });
  await expect(details.getByRole("link", { name: "Play Now" })).toHaveAttribute("href", `/game/${gameId}`);
  await details.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("link", { name: "Create Match" }).click();
  await expect(page.getByRole("button", { name: "Finish Active Game First" })).toBeDisabled();
  for (const robot of robots) robot.close();
});

// [MATCH-02 §2] The placeholder of the search box is 'Search by player, game mode...'.
// [MATCH-05 §2] An empty result shows 'No matches found. Try adjusting your filters or create a new match.'. One
// press clears the filters.
// [MATCH-06 §2] My Matches of a player without games shows 'You haven't participated in any matches yet.'.
// [MATCH-07 §2] While the matches load the page shows 'Loading matches...'. After four seconds a page that loads also
// says that the connection is slow or lost, and offers to try again.
// [MATCH-09 §2] The card of a completed match names the winner.
// [MATCH-14 §2] Matches that are not pending offer 'View Details'.
// [MATCH-15 §2] Match Details shows White, Black, Stake in coins, Time Control, Game Mode and Status, and the Winner
// of a completed match.
test("search and status filter the list [MATCH-02 MATCH-05 MATCH-06 MATCH-07 MATCH-09 MATCH-14 MATCH-15]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const [ada, bola, chidi] = [await addPlayer("ada"), await addPlayer("bola"), await newPlayer("chidi")];
  const { page } = chidi;
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const played = await robots[0].create("checkers", 5, 10);
  await robots[1].join(played);
  await playLine(played, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId: played });
  const gameId = await robots[0].create("chess", 1, 10);

  const mayCome = Promise.withResolvers<void>();
  await page.route("**/api/matches?*", async (route) => {
    await mayCome.promise;
    await route.continue();
  });
  await page.goto("/matches?show=mine");
  const loading = page.getByRole("status").filter({ hasText: "Loading matches..." });
  await expect(loading).toBeVisible();
  const placeholder = page.locator(".tickets > .skeleton").first();
  const placeholderHeight = await readHeight(placeholder);
  await page.setViewportSize({ width: 390, height: 844 });
  const placeholderHeightOnPhone = await readHeight(placeholder);
  const tabBarTop = (await page.getByRole("navigation").last().boundingBox())?.y ?? Number.NaN;
  expect((await loading.boundingBox())?.y).toBeLessThan(tabBarTop);
  // Lower than the placeholders, it would be out of sight.
  await page.setViewportSize({ width: 360, height: 616 });
  await expect(loading).toContainText("Your connection is slow or lost.");
  await expect(loading).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await loading.getByRole("button", { name: "Try again" }).click();
  mayCome.resolve();
  await expect(page.getByText("You haven't participated in any matches yet.")).toBeVisible();
  await expect(page.getByRole("tab")).toHaveText(["All Matches", "My Matches"]);
  await page.getByRole("tab", { name: "All Matches" }).click();
  await expect(page.getByLabel("Status").locator("option")).toHaveText([
    "All Statuses",
    "Pending",
    "Active",
    "Completed",
  ]);
  const search = page.getByPlaceholder("Search by player, game mode...");
  const cards = page.getByRole("listitem");
  await search.fill(ada.username.toUpperCase());
  await expect(cards).toHaveCount(2);
  await page.getByLabel("Status").selectOption("Pending");
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText("Chess, 10 minutes");
  const differencePxMax = 4;
  const height = await readHeight(cards);
  expect(Math.abs(height - placeholderHeight), `${height} px`).toBeLessThanOrEqual(differencePxMax);
  await page.setViewportSize({ width: 390, height: 844 });
  const heightOnPhone = await readHeight(cards);
  expect(Math.abs(heightOnPhone - placeholderHeightOnPhone), `${heightOnPhone} px`).toBeLessThanOrEqual(
    differencePxMax,
  );
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByLabel("Status").selectOption("Completed");
  await expect(cards).toContainText(`Checkers, 10 minutes. Winner ${bola.username}`);
  await cards.getByRole("button", { name: "View Details" }).click();
  const details = page.getByRole("dialog", { name: "Match Details" });
  for (const line of [
    `White${ada.username}`,
    `Black${bola.username}`,
    "Stake60.00 HC",
    "Time Control10 minutes",
    "Game ModeCheckers",
    "StatusCompleted",
    `Winner${bola.username}`,
  ]) {
    await expect(details).toContainText(line);
  }
  await expect(details.getByRole("link", { name: "Play Now" })).toHaveCount(0);
  await details.getByRole("button", { name: "Close" }).first().click();
  await page.getByLabel("Status").selectOption("Active");
  await expect(page.getByText("No matches found. Try adjusting your filters or create a new match.")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(page).toHaveURL("/matches");
  await expect(search).toHaveValue("");
  await search.fill(ada.username);
  await page.getByLabel("Game", { exact: true }).selectOption("Chess");
  await page.getByLabel("Stake", { exact: true }).selectOption("1 HC");
  await page.getByLabel("Time limit").selectOption("10 min");
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveURL(`/matches?game=chess&stake=1&minutes=10&search=${ada.username.toLowerCase()}`);
  await page.reload();
  await expect(cards).toContainText("Chess, 10 minutes");
  await expect(cards).toHaveCount(1);
  await expect(page.getByLabel("Stake", { exact: true })).toHaveValue("1-1");
  await page.getByLabel("Game", { exact: true }).selectOption("Checkers");
  await expect(cards).toHaveCount(0);
  await page.getByLabel("Stake", { exact: true }).selectOption("5\u201310 HC");
  await expect(cards).toContainText("Checkers, 10 minutes");
  await robots[0].cancel(gameId);
  closeRobots(robots);
});

// [MATCH-29 §2] The list has sections, 'Open now' with their number, 'Live' and 'Finished', in this order whatever
// their age. A ticket opens its game.
// [MATCH-30 §2] On a phone of 360x640 the first ticket is within 200 px under the header, and the filters are behind
// one button that counts them.
test("open matches come first, a ticket opens its game, filters are behind a button on phones [MATCH-29 MATCH-30]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const [ada, bola, chidi, dayo] = [
    await addPlayer("ada"),
    await addPlayer("bola"),
    await addPlayer("chidi"),
    await newPlayer("dayo", { context: { viewport: { width: 360, height: 640 } } }),
  ];
  const { page } = dayo;
  const robots = [
    await connectRobot(ada, arena.url),
    await connectRobot(bola, arena.url),
    await connectRobot(chidi, arena.url),
  ] as const;
  const open = await robots[2].create("chess", 10, 10);
  const played = await robots[0].create("checkers", 5, 10);
  await robots[1].join(played);
  await playLine(played, [robots[0], robots[1]], FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId: played });
  const live = await robots[0].create("chess", 5, 10);
  await robots[1].join(live);

  await page.goto("/matches");
  const first = findCard(page, chidi.username);
  await expect(first).toContainText("Open");
  const belowHeader = await first.evaluate(
    (card) => card.getBoundingClientRect().top - document.querySelector("header")!.getBoundingClientRect().bottom,
  );
  expect(belowHeader, "px under the header").toBeLessThanOrEqual(200);
  await expect(first).toBeInViewport({ ratio: 1 });
  const search = page.getByPlaceholder("Search by player, game mode...");
  await expect(search).toBeHidden();
  const toggle = page.getByRole("button", { name: /^Filters/ });
  await toggle.click();
  await page.getByLabel("Time limit").selectOption("10 min");
  await expect(toggle).toHaveText("Filters (1)");
  await toggle.click();
  await expect(search).toBeHidden();
  const titles = page.getByRole("heading", { level: 2 });
  await expect(titles.first()).toHaveText(/^Open now \(\d+\)$/);
  await expect(titles).toHaveText([/^Open now/, "Live", "Finished"]);
  await expect(page.getByRole("region", { name: "Live" })).toContainText("Live");
  await expect(page.getByRole("region", { name: "Finished" })).toContainText(ada.username);
  await expectAccessible(page, "matches in sections", { inLargeText: true });

  await first.click({ position: { x: 120, y: 30 } });
  await expect(page).toHaveURL(`/game/${open}`);
  await page.goBack();
  await page
    .getByRole("link", { name: `Open ${ada.username} vs ${bola.username}` })
    .first()
    .click();
  await expect(page).toHaveURL(`/game/${live}`);
  await robots[2].cancel(open);
  await robots[0].cancel(live);
  closeRobots(robots);
});
