import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { connectRobot } from "../support/robot.ts";
import { readGameId, waitForSavedProfile } from "../support/steps.ts";

auditAfterwards();

// [PROF-02 §2] The profile shows username, coin balance, total matches, wins, losses, draws and the win rate in
// percent.
// [PROF-03 §2] Badges count pending, active and completed matches.
// [PROF-04 §2] The notice of a demo account never appears.
// [PROF-06 §2] Pressing a match opens its game.
test("the profile shows balance, record and matches [PROF-02 PROF-03 PROF-04 PROF-06]", async ({
  newPlayer,
  arena,
  database,
}) => {
  const ada = await newPlayer("ada", { hc: 100 });
  await ada.page.goto("/profile");
  await expect(ada.page.getByRole("heading", { name: ada.username })).toBeVisible();
  await expect(ada.page.getByText("100.00").first()).toBeVisible();
  for (const badge of ["0 pending", "0 active", "0 completed"]) await expect(ada.page.getByText(badge)).toBeVisible();
  for (const figure of ["Total matches0", "0 wins", "0 losses", "0 draws", "0.0% win rate"]) {
    await expect(ada.page.getByRole("main")).toContainText(figure);
  }
  await ada.page.getByRole("tab", { name: "Games" }).click();
  await expect(ada.page.getByText("You haven't participated in any matches yet.")).toBeVisible();
  await expect(ada.page.getByText("This is a demo account")).toHaveCount(0);

  const robot = await connectRobot(ada, arena.url);
  const gameId = await robot.create("checkers", 5);
  expect(await database.balance(ada.id)).toBe("35.560000");
  await ada.page.goto("/profile#games");
  await expect(ada.page.getByText("1 pending")).toBeVisible();
  await expect(ada.page.getByText("35.56").first()).toBeVisible();
  const tabs = ada.page.getByRole("tablist", { name: "Your matches" }).getByRole("tab");
  await expect(tabs).toHaveText([/^All/, /^Active/, /^Pending/, /^History/]);
  await ada.page.getByRole("tab", { name: /Active/ }).click();
  await expect(ada.page.getByText("You have no active match.")).toBeVisible();
  await ada.page.getByRole("tab", { name: /Pending/ }).click();
  await ada.page.getByRole("link", { name: /Checkers, 5 minutes/ }).click();
  await readGameId(ada.page);
  await expect(ada.page.getByText("Waiting for opponent to join...").first()).toBeVisible();
  // A later test on this server may be paired with a match that waits.
  await robot.cancel(gameId);
  robot.close();
});

// [HEAD-03 §2 r29] Logged-in players have a switch for notifications in the header, and its setting is kept.
test("the notification switch is saved [HEAD-03 PROF-07]", async ({ newPlayer }) => {
  const { page } = await newPlayer("ada");
  await page.goto("/");
  const toggle = page.getByRole("banner").getByRole("button", { name: "Notifications" });
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
  // The switch shows its new state before the server has saved it.
  const saved = waitForSavedProfile(page);
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await saved;
  await page.reload();
  await expect(toggle).toHaveAttribute("aria-pressed", "false");
  await page.goto("/profile#settings");
  const setting = page.getByRole("switch", { name: "Notifications" });
  await expect(setting).not.toBeChecked();
  await setting.click();
  await expect(toggle).toHaveAttribute("aria-pressed", "true");
});
