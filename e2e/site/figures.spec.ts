import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, toInstant } from "@holo/kernel/instant.ts";
import type { EndedGame } from "../../apps/server/src/game/testing/ended-games.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";

// Players of other tests would be ranked, and their running games counted.
test.use({ ownServer: "platform" });
// The games that it adds have no moves to judge.
auditAfterwards([/a game could not be screened/]);

function wins(winner: string, loser: string, count: number, daysAgo: number, game: EndedGame["game"] = "checkers") {
  const [white, black] = [winner as PlayerId, loser as PlayerId];
  const at = addMs(toInstant(Date.now()), -daysAgo * DAY_MS);
  return Array.from({ length: count }, (): EndedGame => ({ white, black, winner: white, at, game }));
}

// [LEAD-01 §2] 'Top 3 Players' is a table with the columns Rank, Player, Games, W/L and Win Rate.
// [LEAD-02 §2] While it loads the page shows 'Loading leaderboard...'.
test("the leaderboard shows a podium, pages and the own rank by game and period [PROF-02 LEAD-01 LEAD-02]", async ({
  newPlayer,
  database,
}) => {
  const ada = await newPlayer("ada");
  const [first, second, third] = await Promise.all(
    ["first", "second", "third"].map((name) =>
      database.addPlayer(`${name}${ada.username.slice(3)}`, "holo-arena-tests"),
    ),
  );
  if (first === undefined || second === undefined || third === undefined) throw new Error("three were enrolled");
  const others = await Promise.all(
    Array.from({ length: 22 }, (_, i) => database.addPlayer(`p${i}${ada.username.slice(3)}`, "holo-arena-tests")),
  );
  // Of files that ran before on this server. They play checkers today.
  const ranked = await database.countRanked();
  const forget = await database.addEndedGames([
    ...wins(first.id, second.id, 40, 40),
    ...wins(second.id, third.id, 20, 20, "chess"),
    ...wins(third.id, ada.id, 3, 1),
    ...others.flatMap(({ id }, i) => wins(third.id, id, 1 + (i % 2), 50)),
  ]);
  try {
    const { page } = ada;
    await page.goto("/");
    const mayCome = Promise.withResolvers<void>();
    await page.route("**/api/leaderboard", async (route) => {
      await mayCome.promise;
      await route.continue();
    });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Leaderboard" }).click();
    await expect(page.getByText("Loading leaderboard...")).toBeAttached();
    mayCome.resolve();
    await expect(page.getByRole("heading", { name: "Leaderboard", level: 1 })).toBeVisible();
    const top = page.getByRole("table", { name: "Top 3 Players" });
    await expect(top.getByRole("columnheader")).toHaveText(["Rank", "Player", "Games", "W/L", "Win Rate"]);
    await expect(top.locator("tbody tr")).toHaveCount(3);
    // 60 games of the second, 56 of the third, 40 of the first
    await expect(top.locator("tbody tr").first()).toContainText(second.username);
    await expect(top.locator("tbody tr").first()).toContainText("20 / 40");
    await expect(top.locator("tbody tr").first()).toContainText("33.3%");
    const rest = page.getByRole("table", { name: /^All other players/ });
    await expect(rest.locator("tbody tr").first()).toContainText(ada.username);
    await expect(rest.locator("tbody tr").first()).toContainText("You");
    await expect(page.getByText(`You rank 4 of ${ranked + 26}`)).toBeVisible();
    await expectAccessible(page, "the leaderboard");

    await page.getByRole("button", { name: "Next" }).click();
    await expect(page.getByText("Page 2 of 2", { exact: true })).toBeVisible();
    await expect(rest.locator("tbody tr")).toHaveCount(ranked + 3);
    await expect(page.getByText(`You rank 4 of ${ranked + 26}`)).toBeVisible();

    await page.getByRole("radio", { name: "7 days" }).check();
    await expect(top.locator("tbody tr")).toHaveCount(Math.min(3, ranked + 2));
    await expect(top).not.toContainText(first.username);
    await expect(top.locator("tbody tr").first()).toContainText(third.username);
    await page.getByRole("radio", { name: "Chess" }).check();
    await expect(page.getByText("No completed games here yet.")).toBeVisible();
    await page.getByRole("radio", { name: "30 days" }).check();
    await expect(top.locator("tbody tr").first()).toContainText(second.username);
    await expect(page.getByText("You have no completed game here yet.")).toBeVisible();

    await top.getByRole("button", { name: second.username }).click();
    const record = page.getByRole("dialog", { name: "Player Record" });
    await expect(record).toContainText("Games played60");
    await expect(record.getByRole("button", { name: "Report" })).toHaveCount(0);
    await record.getByRole("button", { name: "Close" }).click();

    await page.goto("/profile");
    for (const figure of ["Total matches3", "0 wins", "3 losses", "0.0% win rate"]) {
      await expect(page.getByRole("main")).toContainText(figure);
    }
    await expect(page.getByRole("figure", { name: "Win rate over time" })).toBeVisible();
    await page.getByRole("figure", { name: "Win rate over time" }).getByText("As a table").click();
    await expect(page.getByRole("table", { name: "Win rate over time, newest first" }).locator("tbody tr")).toHaveCount(
      3,
    );
    await expectAccessible(page, "a profile with what was before");
  } finally {
    await forget();
  }
});

// [HOME-01 §2] A player with an active game sees a pulsing 'Rejoin Active Game' link instead of 'Create a Match'.
// [HOME-09 §3,7 r2] The home page shows how many players are online and how many games are played, and updates both.
// It is silent about none.
// [CALL-15 §7 r2] The numbers of online players and running games are pushed when they change.
test("the home page shows live numbers to visitors and players [HOME-01 HOME-09 CALL-15 PRES-02]", async ({
  newPlayer,
  addPlayer,
  arena,
  newVisitor,
}) => {
  const visitor = await newVisitor();
  await visitor.goto("/");
  const ready = visitor.getByRole("region", { name: "Ready to Play?" });
  await expect(ready.getByText("1 Holocoin = ₦306")).toBeVisible();
  await expect(visitor.locator(".live-numbers-text")).toBeAttached();
  const ada = await newPlayer("ada");
  const bola = await addPlayer("bola");
  const read = async () => Number(/(\d+) games? in play/.exec(await visitor.getByRole("main").innerText())?.[1] ?? 0);
  const before = await read();
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  await expect(visitor.getByText(/^([2-9]|\d\d+) players online$/)).toBeVisible();
  const gameId = await robots[0].create("checkers", 1, 10);
  await robots[1].join(gameId);
  await expect.poll(read).toBe(before + 1);

  await ada.page.goto("/leaderboard");
  await ada.page.waitForURL(`**/game/${gameId}`);
  await ada.page.getByRole("link", { name: "Holo Arena, home" }).click();
  const rejoin = ada.page.getByRole("link", { name: "Rejoin Active Game" });
  await expect(rejoin).toHaveAttribute("href", `/game/${gameId}`);
  await ada.page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await rejoin.evaluate((link) => getComputedStyle(link).animationName)).toBe("rejoin");
  await expect(ada.page.getByRole("link", { name: "Create a Match" })).toHaveCount(0);
  await robots[0].cancel(gameId);
  await expect(ada.page.getByRole("link", { name: "Create a Match" })).toBeVisible();
  await expect.poll(read).toBe(before);
  for (const robot of robots) robot.close();
});
