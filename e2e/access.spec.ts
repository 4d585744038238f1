import process from "node:process";
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleAnyhow, expectAccessibleSomehow } from "./axe.ts";
import { auditAfterwards, expect, type Person, test } from "./fixtures.ts";
import { connectRobot, playLine } from "./robot.ts";
import { expectFrame, listScreens, openScreen, type Role } from "./screens.ts";
import { findCard } from "./steps.ts";
import { closeAll, FOUR_PLIES } from "./tables.ts";

// Axe is slow where others use the machine too.
test.describe.configure({ timeout: 240_000 });
auditAfterwards();

/** What the CEO alone is shown of the revenue page. */
const OF_CEO = ["Admin Wallet", "Settings"];

function findPart(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

/**
 * Through every screen but a game. What the house's people see as every player does is looked at closely as a player, and with DEEP=1 as
 * them too. @param turn in which of the looks the first is looked at
 */
async function walk({ page, username }: Pick<Person, "page" | "username">, role: Role, turn: number): Promise<void> {
  for (const [index, screen] of listScreens(role, username).entries()) {
    await openScreen(page, role, screen);
    if (role === "player" || screen.at.startsWith("/admin/") || process.env.DEEP === "1") {
      await expectAccessibleSomehow(page, `${screen.at}, seen by ${role}`, turn + index);
    }
  }
}

test("a visitor's screens are accessible and fit narrow phones [SITE-07]", async ({ visit }) => {
  const page = await visit();
  await page.goto("/");
  for (const other of ["day", "night"]) {
    await page.getByRole("button", { name: `Switch to ${other}` }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", other);
  }
  for (const screen of listScreens("visitor", null)) {
    await openScreen(page, "visitor", screen);
    // what leads elsewhere is looked at there
    if (screen.leadsTo === undefined) await expectAccessibleAnyhow(page, `${screen.at}, seen by a visitor`);
  }
});

test("a player's screens are accessible and fit narrow phones [SITE-07b]", async ({ arrive, arena }) => {
  const ada = await arrive("ada");
  const bola = await arrive("bola");
  const { page } = bola;
  await page.goto("/");
  await walk(bola, "player", 0);
  await openScreen(page, "player", { at: "/profile", heading: bola.username });
  for (const [name, empty] of [
    ["Active", "You have no active match."],
    ["Pending", "You have no pending match."],
    ["History", "You haven't completed any matches yet."],
  ] as const) {
    await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByText(empty)).toBeVisible();
  }
  await expectAccessibleAnyhow(page, "a profile");
  await openScreen(page, "player", { at: "/create-match", heading: "Create Match" });
  await expectAccessibleAnyhow(page, "a match to be created");

  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  await openScreen(page, "player", { at: "/matches", heading: "Matches" });
  const card = findCard(page, ada.username);
  await expect(card).toBeVisible();
  await expectAccessibleAnyhow(page, "matches, one of them pending");
  await card.getByRole("button", { name: /^Join Match/ }).click();
  await expect(page.getByRole("dialog", { name: "Transaction Fee" })).toBeVisible();
  await expectAccessible(page, "a dialog by night");
  await robot.cancel(gameId);
  robot.close();
});

test("an admin's and the CEO's screens are accessible and fit narrow phones, and who is removed is denied wherever they are [SITE-07c]", async ({
  arrive,
  arriveOwner,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 403/);
  const [ada, bola, owner] = [await arrive("ada"), await arrive("bola"), await arriveOwner()];
  const amaka = await arrive("amaka", { isVerified: true });
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const gameId = await robots[0].create("checkers", 5);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  const post = async (person: Person, path: string, data: object) => {
    const answer = await person.context.request.post(`${arena.url}${path}`, { data, headers: { origin: arena.url } });
    expect(answer.ok(), path).toBe(true);
    return await answer.json();
  };
  await post(ada, "/api/reports", { gameId, playerId: bola.id, reason: "fault", text: "Nothing moves" });

  const { page } = amaka;
  await page.goto("/");
  await expectFrame(page, "player");
  const { admins } = await post(owner, "/api/admin/admins", { email: amaka.email });
  await expectFrame(page, "admin");
  await walk(amaka, "admin", 1);
  await unfoldRevenue(page, "admin");
  await expectAccessibleAnyhow(page, "the revenue page, all of it, seen by an admin");
  await watch(page, "admin", gameId);
  await openScreen(page, "admin", { at: "/admin/reports", heading: "Reports" });
  await expect(page.getByText("Nothing moves")).toBeVisible();
  await expectAccessibleAnyhow(page, "a report");
  await openScreen(page, "admin", { at: `/admin/players?text=${bola.username}`, heading: "Players" });
  await expect(page.getByRole("link", { name: bola.username })).toBeVisible();
  await expectAccessibleAnyhow(page, "players found");
  // whose file would be refused is found without a way there
  await openScreen(page, "admin", { at: `/admin/players?text=${owner.email}`, heading: "Players" });
  const found = page.getByRole("main").getByRole("listitem").filter({ hasText: owner.email });
  await expect(found).toContainText("Nobody else looks into the CEO's account, or blocks it.");
  await expect(found.getByRole("link")).toHaveCount(0);
  await openScreen(page, "admin", { at: `/admin/players?id=${bola.id}`, heading: bola.username });
  for (const part of ["Statement", "Payments", "Reports about this player", "Logged in on"]) {
    await page.getByRole("button", { name: part }).click();
  }
  await expect(page.getByText("Opening balance")).toBeVisible();
  await expectAccessibleAnyhow(page, "a player's file");

  const own = admins.find(({ email }: { readonly email: string }) => email === amaka.email);
  await post(owner, "/api/admin/admins/remove", { id: own.id });
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page.getByText(bola.email)).toHaveCount(0);
  for (const screen of listScreens("player", amaka.username).filter(({ at }) => at.startsWith("/admin/"))) {
    await openScreen(page, "player", screen);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();
  }
  await expectAccessibleAnyhow(page, "denied to who was an admin");

  await owner.page.goto("/");
  await walk(owner, "ceo", 2);
  await unfoldRevenue(owner.page, "ceo");
  await expectAccessibleSomehow(owner.page, "the revenue page, all of it, seen by the CEO", 1);
  await watch(owner.page, "ceo", gameId);
  closeAll(robots);
});

async function unfoldRevenue(page: Page, role: Role): Promise<void> {
  await openScreen(page, role, { at: "/admin/revenue", heading: "Revenue" });
  await expect(findPart(page, "App Updates").getByRole("heading", { name: "Windows versions" })).toBeVisible();
  await expect(findPart(page, "Admin Management").getByText("CEO", { exact: true })).toBeVisible();
  for (const part of OF_CEO) await expect(findPart(page, part)).toHaveCount(role === "ceo" ? 1 : 0);
  if (role === "ceo") await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Log of acts" }).click();
  await expect(findPart(page, "Log of acts").getByRole("listitem").first()).toBeVisible();
  await findPart(page, "Day by day").getByText("As a table").first().click();
}

/** Whose game it is not, they see, and can do nothing in it. */
async function watch(page: Page, role: Role, gameId: string): Promise<void> {
  await page.evaluate((id) => history.pushState(null, "", `/game/${id}`), gameId);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  await expectFrame(page, role);
  for (const act of ["Resign", "Offer Draw", "Chat"]) {
    await expect(page.getByRole("button", { name: act, exact: true })).toHaveCount(0);
  }
  await expectAccessibleSomehow(page, `a game watched by ${role}`, 0);
}
