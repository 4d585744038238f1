import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { expectAccessible } from "../support/axe.ts";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { closeRobots } from "../support/tables.ts";

auditAfterwards();

const FOOLS_MATE = "f2-f3 e7-e5 g2-g4 d8-h4";

async function dump(white: TestPlayer, black: TestPlayer, url: string, games: number): Promise<void> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  for (let game = 0; game < games; game += 1) {
    const gameId = await robots[0].create("chess", 10);
    await robots[1].join(gameId);
    await playLine(gameId, robots, FOOLS_MATE);
  }
  closeRobots(robots);
}

test("staff find a pair that passed coins by fool's mates, and the files of both [ADMIN-10]", async ({
  addPlayer,
  newOwner,
  arena,
}) => {
  const [ada, bola, owner] = [
    await addPlayer("ada", { hc: 1_000 }),
    await addPlayer("bola", { isVerified: true }),
    await newOwner(),
  ];
  await dump(ada, bola, arena.url, 5);
  const { page } = owner;
  await page.goto("/admin/reports");
  await page.getByRole("link", { name: "Fair Play" }).click();
  const row = page.getByRole("listitem").filter({ hasText: ada.username });
  await expect(row).toContainText(`${ada.username} lost to ${bola.username}`);
  for (const text of ["One-sided", "Quick losses", "800.00 HC", "5 of 5"]) await expect(row).toContainText(text);
  await expectAccessible(page, "a suspicious pair");
  await row.getByRole("link", { name: bola.username }).click();
  await expect(page.getByRole("heading", { name: bola.username })).toBeVisible();
});
