import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

// [HOME-16 §2] A player's home page shows games of others that wait or are played now, each a link to its game.
// [HOME-17 §2] A visitor's home page has its foil on Create Account, four facts with links, and boards of live games
// that lead to them. It never counts to zero.
test("the home page leads to games that wait and that are played [HOME-16 HOME-17]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const visitor = await newVisitor();
  await visitor.goto("/");
  await expect(visitor.getByRole("link", { name: "Create Account" })).toHaveClass(/primary/);
  await expect(visitor.getByRole("link", { name: "Login to Play" })).not.toHaveClass(/primary/);
  const facts = visitor.getByRole("region", { name: "Good to know" });
  await expect(facts.getByRole("heading")).toHaveText([
    "Paid through Paystack",
    "Withdraw after 24 hours",
    "A 7.4% fee, shown first",
    "Every game can be checked",
  ]);
  for (const link of await facts.getByRole("link").all()) await expect(link).toHaveAttribute("href", /^\/\w+$/);
  await expect(visitor.getByRole("main")).not.toContainText(/\b0 (player|game)/);

  const [ada, bola, chidi] = [await addPlayer("ada"), await addPlayer("bola"), await addPlayer("chidi")];
  const robots = [
    await connectRobot(ada, arena.url),
    await connectRobot(bola, arena.url),
    await connectRobot(chidi, arena.url),
  ] as const;
  const open = await robots[2].create("chess", 10, 10);
  // Shown before games that other tests left: the highest stake, and the newest of it.
  const live = await robots[0].create("checkers", 10, 10);
  await robots[1].join(live);
  await playLine(live, [robots[0], robots[1]], FOUR_PLIES);
  const boards = visitor.getByRole("region", { name: "Live now" });
  await expect(boards.getByRole("link", { name: `${ada.username} vs ${bola.username}` })).toHaveAttribute(
    "href",
    `/game/${live}`,
  );
  await expect(visitor.getByText(chidi.username)).toHaveCount(0);
  await expectAccessible(visitor, "home with live boards", { inLargeText: true });

  const { page } = await newPlayer("dayo");
  await page.goto("/");
  await expect(
    page.getByRole("region", { name: "Open now" }).getByRole("link", { name: chidi.username }),
  ).toHaveAttribute("href", `/game/${open}`);
  await expect(page.getByRole("region", { name: "Live" }).getByRole("link", { name: ada.username })).toHaveAttribute(
    "href",
    `/game/${live}`,
  );
  await expectAccessible(page, "a player's home with open games", { inLargeText: true });
  await robots[2].cancel(open);
  await robots[0].send({ type: "resign", gameId: live });
  closeRobots(robots);
});
