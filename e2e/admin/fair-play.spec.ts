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

test("staff find a pair that passed coins by fool's mates, and the files of both [ADMIN-10c]", async ({
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

test("a held player reads the reason in the wallet at once, and can withdraw after the release [ADMIN-11c]", async ({
  newPlayer,
  newOwner,
}) => {
  const [ada, owner] = [await newPlayer("ada", { isVerified: true }), await newOwner()];
  const { page } = owner;
  await ada.page.goto("/wallet");
  await ada.page.getByRole("radio", { name: "Withdraw" }).check();
  await page.goto(`/admin/players?id=${ada.id}`);
  await page.getByRole("button", { name: "Hold withdrawals" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("We are looking at your last games with one player.");
  await expectAccessible(page, "holding withdrawals");
  await dialog.getByRole("button", { name: "Hold", exact: true }).click();
  await expect(page.getByText("Withdrawals held.")).toBeVisible();

  const notice = ada.page.getByRole("status").filter({ hasText: "Withdrawals are on hold." });
  await expect(notice).toContainText("Reason: We are looking at your last games with one player.");
  await ada.page.getByLabel("Amount in naira").fill("5000");
  await ada.page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(ada.page.getByRole("alert")).toContainText("Withdrawals are on hold");
  await expectAccessible(ada.page, "withdrawals on hold");

  await page.getByRole("button", { name: "Release withdrawals" }).click();
  await dialog.getByLabel("What you found").fill("Honest games");
  await dialog.getByRole("button", { name: "Release", exact: true }).click();
  await expect(notice).toHaveCount(0);
  await ada.page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(ada.page.getByRole("dialog")).toBeVisible();
});
