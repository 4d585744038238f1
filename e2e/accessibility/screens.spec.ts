import { readFileSync } from "node:fs";
import process from "node:process";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Page } from "@playwright/test";
import { expectDenied } from "../support/admin.ts";
import { expectAccessible, expectAccessibleAsShown } from "../support/axe.ts";
import { auditAfterwards, expect, PASSWORD, type Person, test } from "../support/fixtures.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { expectFrame, listScreens, openScreen, type Role } from "../support/screens.ts";
import { findCard } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

test.describe.configure({ timeout: 240_000 });
auditAfterwards();

/** Screens that need a game or a case: table, review, invitations, opponents and fair-play check them. */
const OF_SOMETHING = [
  "/admin/fair-play/:id",
  "/game/:gameId",
  "/game/:gameId/review",
  "/invite/:token",
  "/player/:name",
];

const OF_CEO = ["Admin Wallet", "Settings"];

function findPart(page: Page, name: string) {
  return page.getByRole("region", { name, exact: true });
}

/**
 * The screens that a role sees otherwise than a visitor, and the CEO otherwise than an admin.
 * Others are checked with what they show unfolded.
 */
const OWN_SCREENS: Readonly<Record<Exclude<Role, "visitor">, readonly string[]>> = {
  player: ["/", "/matches", "/leaderboard", "/wallet", "/admin/revenue"],
  admin: ["/admin/revenue", "/admin/players", "/admin/fair-play"],
  ceo: ["/admin/players"],
};

/** Visits every screen but a game, staff their own. Checks what no other role saw; DEEP=1: all. */
async function walk(
  { page, username }: Pick<Person, "page" | "username">,
  role: Exclude<Role, "visitor">,
): Promise<void> {
  const isVisited = ({ path }: { readonly path: string }) =>
    role === "player" || path === "/" || path.startsWith("/admin/");
  for (const screen of listScreens(role, username).filter(isVisited)) {
    await openScreen(page, role, screen);
    if (OWN_SCREENS[role].includes(screen.path) || process.env.DEEP === "1") {
      await expectAccessible(page, `${screen.path}, seen by ${role}`, { inLargeText: true });
    }
  }
}

// [SITE-07 §2] Every screen has a header and a footer. The game has only the header, because it needs the height.
// [SITE-13 §2] Every screen passes axe on phones and desktops in both themes, its targets have at least 44 px on a
// phone of 390x844 (24 px elsewhere and within sentences), and twice as large text does not make it scroll sideways
// on a phone.
// [ADMIN-04 §2,6] Other people see 'Access Denied' and 'You don't have permission to view this page.'.
test("a visitor's screens are accessible and fit narrow phones [SITE-07 SITE-13 ADMIN-04]", async ({ newVisitor }) => {
  const page = await newVisitor();
  await page.goto("/");
  for (const [mode, theme] of [
    ["light", "day"],
    ["dark", "night"],
  ] as const) {
    await page.getByRole("button", { name: `Switch to ${mode} mode` }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
  }
  const screens = listScreens("visitor", null);
  const listed = screens.map(({ path }) => path);
  const routes = Object.keys(JSON.parse(readFileSync("apps/web/dist/ahead.json", "utf8")));
  expect(routes.filter((path) => !listed.includes(path)).toSorted(), "screens that no test lists").toEqual(
    OF_SOMETHING,
  );
  for (const screen of screens) {
    await openScreen(page, "visitor", screen);
    if (screen.redirectsTo === undefined) await expectAccessible(page, `${screen.path}, seen by a visitor`);
  }
  // loaded directly, before it is known who asks
  await page.goto("/admin/revenue");
  await expectDenied(page);
  await expect(page.getByRole("main").getByRole("link", { name: "Login" })).toBeVisible();
});

test("a player's screens are accessible and fit narrow phones [SITE-07 SITE-13 ADMIN-04]", async ({
  newPlayer,
  addPlayer,
  arena,
}) => {
  const ada = await addPlayer("ada");
  const bola = await newPlayer("bola");
  const { page } = bola;
  await page.goto("/");
  await walk(bola, "player");
  await openScreen(page, "player", { path: "/profile", heading: bola.username });
  await page.getByRole("tab", { name: "Games" }).click();
  for (const [name, empty] of [
    ["Active", "You have no active match."],
    ["Pending", "You have no pending match."],
    ["History", "You haven't completed any matches yet."],
  ] as const) {
    await page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByText(empty)).toBeVisible();
  }
  await expectAccessible(page, "a profile", { inLargeText: true });
  await openScreen(page, "player", { path: "/create-match", heading: "Create Match" });
  await expectAccessible(page, "a match to be created", { inLargeText: true });

  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5, 10);
  await openScreen(page, "player", { path: "/matches", heading: "Matches" });
  const card = findCard(page, ada.username);
  await expect(card).toBeVisible();
  await expectAccessible(page, "matches, one of them pending");
  await card.getByRole("button", { name: /^Join Match/ }).click();
  await expect(page.getByRole("dialog", { name: "Transaction Fee" })).toBeVisible();
  await expectAccessibleAsShown(page, "a dialog by night");
  await robot.cancel(gameId);
  robot.close();
});

test("staff screens are accessible and fit narrow phones, and a removed admin is denied [SITE-07 SITE-13]", async ({
  newPlayer,
  addPlayer,
  newOwner,
  arena,
  expectedErrors,
}) => {
  const [ada, bola, owner] = [await newPlayer("ada"), await addPlayer("bola"), await newOwner()];
  const amaka = await newPlayer("amaka", { isVerified: true });
  expectedErrors.push({ page: amaka.page, pattern: /status of 403.*\/api\/admin\// });
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
  const { admins } = await post(owner, "/api/admin/admins", { email: amaka.email, password: PASSWORD });
  await expectFrame(page, "admin");
  await walk(amaka, "admin");
  await unfoldRevenue(page, "admin");
  await watch(page, "admin", gameId);
  await openScreen(page, "admin", { path: "/admin/reports", heading: "Reports" });
  await expect(page.getByText("Nothing moves")).toBeVisible();
  await expectAccessible(page, "a report", { inLargeText: true });
  await openScreen(page, "admin", { path: `/admin/players?text=${bola.username}`, heading: "Players" });
  await expect(page.getByRole("link", { name: bola.username })).toBeVisible();
  await expectAccessible(page, "players found");
  // players whose file would be refused are found without a link to it
  await openScreen(page, "admin", { path: `/admin/players?text=${owner.email}`, heading: "Players" });
  const found = page.getByRole("main").getByRole("listitem").filter({ hasText: owner.email });
  await expect(found).toContainText("Only the CEO can open the CEO's account.");
  await expect(found.getByRole("link")).toHaveCount(0);
  await openScreen(page, "admin", { path: `/admin/players?id=${bola.id}`, heading: bola.username });
  for (const part of ["Statement", "Payments", "Reports about this player", "Logged in on"]) {
    await page.getByRole("button", { name: part }).click();
  }
  await expect(page.getByText("Opening balance")).toBeVisible();
  await expectAccessible(page, "a player's file");

  const own = admins.find(({ email }: { readonly email: string }) => email === amaka.email);
  await post(owner, "/api/admin/admins/remove", { id: own.id });
  await expect(page.getByText("You don't have permission to view this page.")).toBeVisible();
  await expect(page.getByText(bola.email)).toHaveCount(0);
  for (const screen of listScreens("player", amaka.username).filter(({ path }) => path.startsWith("/admin/"))) {
    await openScreen(page, "player", screen);
  }
  await page.reload();
  await expect(page.getByRole("heading", { name: "Access Denied" })).toBeVisible();

  await owner.page.goto("/");
  await walk(owner, "ceo");
  await unfoldRevenue(owner.page, "ceo");
  await expectAccessible(owner.page, "the revenue page, all of it, seen by the CEO", { inLargeText: true });
  await watch(owner.page, "ceo", gameId);
  closeRobots(robots);
});

async function unfoldRevenue(page: Page, role: Role): Promise<void> {
  await openScreen(page, role, { path: "/admin/revenue", heading: "Revenue" });
  await expect(findPart(page, "App Updates").getByRole("heading", { name: "Windows versions" })).toBeVisible();
  await expect(findPart(page, "Admin Management").getByText("CEO", { exact: true })).toBeVisible();
  for (const part of OF_CEO) await expect(findPart(page, part)).toHaveCount(role === "ceo" ? 1 : 0);
  if (role === "ceo") await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Activity log" }).click();
  await expect(findPart(page, "Activity log").getByRole("listitem").first()).toBeVisible();
  await findPart(page, "Day by day").getByText("As a table").first().click();
}

async function watch(page: Page, role: Role, gameId: GameId): Promise<void> {
  await page.evaluate((id) => history.pushState(null, "", `/game/${id}`), gameId);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
  await expectFrame(page, role);
  for (const act of ["Resign", "Offer Draw", "Chat"]) {
    await expect(page.getByRole("button", { name: act, exact: true })).toHaveCount(0);
  }
}
