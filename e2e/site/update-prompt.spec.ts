import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { findPrompt, makeCurrent, OLD_WINDOWS, openUpdates, toProgram, upload } from "../support/releases.ts";
import { closeRobots, FOUR_PLIES, startRobotGame } from "../support/tables.ts";

// An upload is offered to all players.
test.use({ ownServer: "platform" });
auditAfterwards();

test("an older app asks for an update only after the game is over and left", async ({
  newPlayer,
  addPlayer,
  newOwner,
  arena,
}) => {
  const owner = await newOwner();
  const part = await openUpdates(owner);
  await upload(part, "Windows .exe", toProgram("3.0.0"));
  await makeCurrent(part, "3.0.0");
  const ada = await newPlayer("ada", { context: { ...OLD_WINDOWS, viewport: { width: 1440, height: 900 } } });
  const { page } = ada;
  const known = page.waitForResponse(/\/api\/releases$/);
  const { gameId, robots } = await startRobotGame(ada, await addPlayer("bola"), arena.url, FOUR_PLIES);
  await known;
  await expect(page.getByRole("button", { name: "Downloads" })).toBeVisible();
  await expect(findPrompt(page)).toHaveCount(0);
  await robots[0].send({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await expect(findPrompt(page)).toHaveCount(0);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  await expect(findPrompt(page)).toContainText("New version3.0.0");
  closeRobots(robots);
});
