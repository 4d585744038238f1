import path from "node:path";
import { type GameId, toGameId } from "@holo/kernel/ids.ts";
import type { Page } from "@playwright/test";
import { readMails } from "../../apps/server/src/platform/testing/test-mail.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, test } from "../support/fixtures.ts";
import { findLayoutFaults } from "../support/layout.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { chooseTerms, findToast, login } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

async function createInvitation(page: Page): Promise<void> {
  await page.goto("/create-match");
  await chooseTerms(page, { game: "Checkers", stake: "5", minutes: "5" });
  await page.getByRole("radio", { name: "A friend" }).check();
  await page.getByRole("button", { name: "Create Match" }).click();
  await page.waitForURL(/\/game\/[0-9a-f-]{36}$/);
}

async function invite(page: Page): Promise<{ readonly gameId: GameId; readonly link: string }> {
  await createInvitation(page);
  const gameId = toGameId(new URL(page.url()).pathname.split("/")[2]!);
  const panel = page.getByRole("region", { name: "Invite a friend" });
  const link = await panel.getByRole("status").innerText();
  expect(link).toMatch(/\/invite\/[\w-]{43}$/);
  return { gameId, link };
}

async function readVerificationLink(dataDir: string, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const mails = await readMails(path.join(dataDir, "outbox"));
      const own = mails.find(({ headers }) => headers.get("to") === email);
      link = /\/verify-email\?token=\S+/.exec(own?.text ?? "")?.[0];
      return link;
    })
    .toBeDefined();
  return link!;
}

// [ERR-46 §8 r42] The link of an invitation that cannot be loaded shows the reason and 'Try again', and is also
// loaded again by itself.
test("a link that could not be loaded is loaded by itself, or at once on request [ERR-46]", async ({
  newPlayer,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 500/);
  const { page } = await newPlayer("ada");
  let fate: "fails" | "waits" | "passes" = "fails";
  const waiting = Promise.withResolvers<void>();
  await page.route("**/api/matches/*/invitation", async (route) => {
    if (fate === "fails") await route.fulfill({ status: 500, body: "a fault" });
    else if (fate === "passes") await route.continue();
    else waiting.resolve();
  });
  const panel = page.getByRole("region", { name: "Invite a friend" });
  await createInvitation(page);
  await expect(panel).toContainText("Something went wrong");
  fate = "passes";
  // Without a press.
  await expect(panel.getByRole("status")).toContainText("/invite/");
  fate = "fails";
  await page.reload();
  await expect(panel.getByRole("button", { name: "Try again" })).toBeVisible();
  // While the page's own attempt waits, only a press can load the link.
  fate = "waits";
  await waiting.promise;
  fate = "passes";
  await panel.getByRole("button", { name: "Try again" }).click();
  await expect(panel.getByRole("status")).toContainText("/invite/");
  await expect(panel.getByRole("button", { name: "Try again" })).toHaveCount(0);
});

// [MATCH-23 §2 r42] Create Match offers 'A friend': the waiting page shows a link to share. It shows the inviter's
// record, stake, cost and every outcome before login, and comes back there after registering and verifying.
// [GAME-21 §2] A toast at a table covers neither the board, the clocks, the turn, the pot, an offer, an action nor
// the header, at every window and text size of GAME-13.
test("a friend reads the terms before login and joins [MATCH-23 SITE-13 GAME-21 MATCH-25 ROLE-29]", async ({
  newPlayer,
  newVisitor,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada");
  const { gameId, link } = await invite(ada.page);
  const panel = ada.page.getByRole("region", { name: "Invite a friend" });
  await expect(panel.getByRole("link", { name: "WhatsApp" })).toHaveAttribute(
    "href",
    `https://wa.me/?text=${encodeURIComponent(`Play me on Holo Arena: ${link}`)}`,
  );
  await ada.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await panel.getByRole("button", { name: "Copy link" }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  const waiting = {
    seen: [".invite-panel :is(h2, .button, .share-address, p)", ".paid-panel", ".table-actions .button"],
    apart: [".player-card", ".board", ".turn-banner", ".invite-panel", ".paid-panel", ".table-actions"],
  };
  for (const [width, height] of [
    [390, 844],
    [768, 1024],
    [1280, 720],
    [1440, 900],
  ] as const) {
    await ada.page.setViewportSize({ width, height });
    expect(await findLayoutFaults(ada.page, [waiting], ["100%"]), `waiting, ${width}x${height}`).toEqual([]);
  }
  const onSmallPhones = { ...waiting, seen: [".board", ".share-ways > *", ".table-actions .button"] };
  for (const [width, height] of [
    [320, 454],
    [360, 516],
    [360, 640],
    [740, 300],
  ] as const) {
    await ada.page.setViewportSize({ width, height });
    expect(await findLayoutFaults(ada.page, [onSmallPhones], ["100%"]), `waiting, ${width}x${height}`).toEqual([]);
    const rest = await ada.page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    expect(rest, `scrolls, ${width}x${height}`).toBe(0);
  }
  await expectAccessible(ada.page, "a game by invitation that waits");

  const page = await newVisitor();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: `${ada.username} invites you to play` })).toBeVisible();
  const main = page.getByRole("main");
  for (const text of ["Total64.44 HC", "You win120.00 HC (₦36,720)", "Draw60.00 HC (₦18,360)", "You lose0.00 HC (₦0)"])
    await expect(main).toContainText(text);
  await expect(main).toContainText("All games played0");
  await expect(main).toContainText("You must be logged in to join a match");
  await expectAccessible(page, "an invitation", { inLargeText: true });

  await main.getByRole("link", { name: "Create Account" }).click();
  const username = `new-${Date.now().toString(36)}`;
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page).toHaveURL("/login");
  // The mailed link is opened in a separate tab, before the login.
  const tab = await page.context().newPage();
  await tab.goto(await readVerificationLink(arena.dataDir, `${username}@example.com`));
  await tab.getByRole("button", { name: "Log in to verify" }).click();
  await expect(tab).toHaveURL("/login");
  await login(tab, `${username}@example.com`);
  await expect(findToast(tab, "Login successful")).toBeVisible();
  await tab.getByRole("button", { name: "Verify my email" }).click();
  await tab.getByRole("link", { name: "Back to your invitation" }).click();
  await expect(tab).toHaveURL(link);
  // Without the tab's session the first page logs in too.
  await page.context().clearCookies();
  await page.reload();
  await page.getByLabel("Email").fill(`${username}@example.com`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(link);
  await expect(findToast(page, "Login successful")).toBeVisible();
  const join = page.getByRole("button", { name: "Join Match (60.00 coins + 4.44 fee)" });
  await expect(join).toBeVisible();
  for (const [width, height] of [
    [768, 1024],
    [1280, 720],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    const wanted = {
      seen: [".toast", ".site-header .figure", "main .button"],
      apart: [".toast", "main :is(a, button)"],
    };
    expect(await findLayoutFaults(page, [wanted], ["100%"]), `${width}x${height}`).toEqual([]);
  }
  await join.click();
  await expect(page.getByRole("dialog", { name: "Transaction Fee" })).toContainText("You need 64.44 holocoins");

  const bola = await newPlayer("bola");
  await bola.page.goto(link);
  await bola.page.getByRole("button", { name: "Join Match (60.00 coins + 4.44 fee)" }).click();
  await bola.page
    .getByRole("dialog", { name: "Transaction Fee" })
    .getByRole("button", { name: "Accept & Join" })
    .click();
  await expect(bola.page).toHaveURL(`/game/${gameId}`);
  await expect(ada.page).toHaveTitle(/^Your turn/);
  expect(await database.escrow(gameId)).toBe("128.880000");
  // The page of the friend who came too late follows.
  await expect(tab.getByRole("heading", { name: "This game has begun" })).toBeVisible();

  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  await playLine(gameId, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId });
  await bola.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await bola.page.getByRole("button", { name: "Share" }).click();
  const sharing = bola.page.getByRole("dialog", { name: "Share this game" });
  await sharing.getByRole("button", { name: "Copy link" }).click();
  await expect(sharing.getByRole("button", { name: "Copied" })).toBeVisible();
  const shared = await bola.page.evaluate(() => navigator.clipboard.readText());
  expect(await (await page.request.get(shared)).text()).toContain(
    `<meta property="og:title" content="${bola.username} beat ${ada.username}">`,
  );
  closeRobots(robots);
});

// [MATCH-18 §2 r22] A pending match can also be joined at its own address.
// [MATCH-24 §2,8 r22] A visitor at a pending match's address sees its cost, 'You must be logged in to join a match'
// and Login, which leads back.
// [ERR-10 §8] Joining shows 'Joined match!' and 'Starting game...'.
test("a visitor at a pending game's address sees its cost, logs in and joins [MATCH-24 MATCH-18 VALID-07 ERR-10]", async ({
  addPlayer,
  newVisitor,
  arena,
  database,
}) => {
  const [ada, bola] = [await addPlayer("ada"), await addPlayer("bola")];
  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("chess", 2);
  const page = await newVisitor();
  await page.goto(`/game/${gameId}`);
  const main = page.getByRole("main");
  await expect(main).toContainText("Total34.37 HC");
  await expect(main.getByText("You must be logged in to join a match")).toBeVisible();
  await main.getByRole("link", { name: "Login" }).click();
  await page.getByLabel("Email").fill(bola.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(`/game/${gameId}`);
  await page.getByRole("button", { name: "Join Match (32.00 coins + 2.37 fee)" }).click();
  const dialog = page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(dialog).toContainText("Total34.37 HC");
  await dialog.getByRole("button", { name: "Accept & Join" }).click();
  await expect(findToast(page, "Joined match!")).toContainText("Starting game...");
  await expect(page).toHaveTitle(/^Opponent's turn/);
  expect(await database.balance(bola.id)).toBe("465.632000");
  expect(await database.escrow(gameId)).toBe("68.736000");
  robot.close();
});
