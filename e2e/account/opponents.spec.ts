import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import type { EndedGame } from "../../apps/server/src/game/testing/ended-games.ts";
import { expectAccessible } from "../support/axe.ts";
import { expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";

// Ratings of other tests would be ranked.
test.use({ ownServer: "platform" });

const LOOK = process.env.LOOK;

/** One of three is lost by the first, one of ten is drawn. */
function history(first: string, second: string, count: number): readonly EndedGame[] {
  const [white, black] = [first as PlayerId, second as PlayerId];
  const from = addMs(toInstant(Date.now()), -count * HOUR_MS);
  return Array.from({ length: count }, (_, i) => ({
    white,
    black,
    winner: i % 10 === 9 ? null : i % 3 === 2 ? black : white,
    at: addMs(from, i * HOUR_MS),
  }));
}

test("an opponent's rating and record are seen before a stake and on a page of their own [RATE-05 RATE-06 LEAD-04]", async ({
  newPlayer,
  addPlayer,
  database,
  arena,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404.*nobody-here/);
  const ada = await newPlayer("ada", { hc: 500 });
  const [bola, chidi] = [await addPlayer("bola", { hc: 500 }), await addPlayer("chidi")];
  const forget = await database.addEndedGames([
    ...history(bola.id, chidi.id, 60),
    ...history(bola.id, ada.id, 8).map((game) => ({ ...game, at: addMs(game.at, 30_000) })),
  ]);
  const robot = await connectRobot(bola, arena.url);
  const gameId = await robot.create("checkers", 5, 5);
  try {
    const { page } = ada;
    await page.goto("/matches");
    const ticket = page.getByRole("region", { name: /^Open now/ }).getByRole("listitem");
    await expect(ticket).toContainText(/Rating 1\d{3} ±\d{2}/);
    await expect(ticket).toContainText("won 42, lost 20, drawn 6");
    await expect(ticket).toContainText("You 2 : 6");
    await expect(
      ticket.getByRole("img", { name: /^Last results: (won|lost|drawn)(, (won|lost|drawn)){4}$/ }),
    ).toBeVisible();
    await look(page, "ticket");
    await ticket.getByRole("button", { name: /^Join Match/ }).click();
    const fee = page.getByRole("dialog", { name: "Transaction Fee" });
    await expect(fee).toContainText("You 2 : 6");
    await look(page, "fee");
    await fee.getByRole("button", { name: bola.username }).click();
    const short = page.getByRole("dialog", { name: "Player Record" });
    await expect(short).toContainText("You 2 : 6");
    await look(page, "short");
    await expectAccessible(page, "a player's short record");
    await short.getByRole("link", { name: "Full profile" }).click();

    await expect(page).toHaveURL(new RegExp(`/player/${bola.username}$`));
    await expect(page.getByRole("heading", { name: bola.username, level: 1 })).toBeVisible();
    const rating = page.getByRole("region", { name: "Rating" });
    await expect(rating.getByRole("figure", { name: "Rating over time" })).toBeVisible();
    await expect(rating).toContainText(`Best win${chidi.username}`);
    await expect(page.getByText("You 2 : 6")).toBeVisible();
    await look(page, "player");
    await expectAccessible(page, "a player's page", { inLargeText: true });
    await page.getByRole("button", { name: "Report" }).click();
    await page.getByRole("dialog", { name: "Report" }).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Challenge" }).click();
    await expect(page.getByRole("radio", { name: "A friend" })).toBeChecked();

    await page.goto("/leaderboard");
    const ladder = page.getByRole("table", { name: "Ratings, Checkers" });
    await expect(ladder.locator("tbody tr").first()).toContainText(bola.username);
    await expect(ladder).not.toContainText(ada.username);
    await expect(page.getByText("2 more rated games to get a place.").first()).toBeVisible();
    await look(page, "leaderboard");
    await expectAccessible(page, "the ladders");

    await page.goto("/player/nobody-here");
    await expect(page.getByRole("heading", { name: "No such player" })).toBeVisible();
  } finally {
    await robot.cancel(gameId);
    robot.close();
    await forget();
  }
});

// [PROF-09 §2] The own profile has the tabs Record, Games, Settings and Account. Links to limits lead to the settings.
test("the own profile is divided into tabs [PROF-09]", async ({ newPlayer, addPlayer, database }) => {
  const ada = await newPlayer("ada", { hc: 100 });
  const bola = await addPlayer("bola");
  const forget = await database.addEndedGames(history(ada.id, bola.id, 40));
  try {
    const { page } = ada;
    await page.goto("/profile");
    const tabs = page.getByRole("tablist", { name: "Your profile" }).getByRole("tab");
    await expect(tabs).toHaveText(["Record", "Games", "Settings", "Account"]);
    await expect(page.getByRole("figure", { name: "Rating over time" })).toBeVisible();
    for (const [index, name] of ["record", "games", "settings", "account"].entries()) {
      await tabs.nth(index).click();
      await expect(tabs.nth(index)).toHaveAttribute("aria-selected", "true");
      await look(page, `profile-${name}`);
      await expectAccessible(page, `the profile's ${name}`, { inLargeText: true });
    }
    await page.goto("/profile#limits");
    await expect(tabs.nth(2)).toHaveAttribute("aria-selected", "true");
  } finally {
    await forget();
  }
});

/** With LOOK=FOLDER: what the screens look like. */
async function look(page: import("@playwright/test").Page, name: string): Promise<void> {
  if (LOOK === undefined) return;
  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [768, 1024],
    [1440, 900],
  ] as const) {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${LOOK}/${name}-${width}-${colorScheme}.png`, fullPage: !/fee|short/.test(name) });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 800 });
}
