import { readFile } from "node:fs/promises";
import { readPdn } from "@holo/checkers/testing/read-pdn.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { formatSquare } from "@holo/rules/square.ts";
import type { TestPlayer } from "../../apps/server/src/accounts/testing/test-players.ts";
import { auditAfterwards, expect, type Person, test } from "../support/fixtures.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { findCard, findToast } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

auditAfterwards();

async function finishGame(white: TestPlayer | Person, black: TestPlayer, url: string): Promise<GameId> {
  const robots = [await connectRobot(white, url), await connectRobot(black, url)] as const;
  const gameId = await robots[0].create("checkers", 5, 10);
  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId });
  closeRobots(robots);
  if ("page" in white) {
    await white.page.goto(`/game/${gameId}`);
    await expect(white.page.getByRole("heading", { name: "You lost" })).toBeVisible();
  }
  return gameId;
}

test("player stats are one press away before joining, for visitors too [CALL-21]", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
}) => {
  const ada = await addPlayer("ada");
  const bola = await newPlayer("bola");
  const gameId = await finishGame(ada, bola, arena.url);
  const robot = await connectRobot(ada, arena.url);
  const next = await robot.create("chess", 2, 5);
  await bola.page.goto("/matches");
  await findCard(bola.page, ada.username)
    .getByRole("button", { name: /^Join Match/ })
    .click();
  const fee = bola.page.getByRole("dialog", { name: "Transaction Fee" });
  await expect(fee.getByRole("button", { name: "Cancel" })).toBeFocused();
  await fee.getByRole("button", { name: ada.username }).click();
  const record = bola.page.getByRole("dialog", { name: "Player Record" });
  await expect(record.getByRole("row", { name: /^Checkers/ })).toHaveText("Checkers new010");
  await expect(record.getByRole("row", { name: /^Chess/ })).toHaveText("Chess new000");
  await expect(record).toContainText("Games played1");
  await expect(record).toContainText("Win rate0.0%");
  await expect(record.getByRole("listitem")).toContainText(`Lostagainst ${bola.username}`);
  await record.getByRole("button", { name: "Close" }).click();
  await expect(fee.getByRole("button", { name: ada.username })).toBeFocused();
  await robot.cancel(next);
  robot.close();

  const visitor = await newVisitor();
  await visitor.goto(`/game/${gameId}`);
  await visitor.getByRole("button", { name: bola.username }).click();
  const shown = visitor.getByRole("dialog", { name: "Player Record" });
  await expect(shown).toContainText("Win rate100.0%");
  await expect(shown.getByRole("button")).toHaveText(["Close"]);
});

test("a finished game shows its players the journal entries, and anyone its record, to verify and export; they can report and block", async ({
  newPlayer,
  addPlayer,
  newVisitor,
  arena,
  database,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await addPlayer("bola")];
  const { page } = ada;
  const gameId = await finishGame(ada, bola, arena.url);
  const settlement = page.getByRole("region", { name: "Settlement" });
  await expect(settlement.getByRole("heading", { level: 3 })).toHaveText([
    "Match entry",
    "Match entry",
    "Paid to the winner",
    "Net result",
  ]);
  expect(await database.listEntryKinds(gameId)).toEqual(["stake", "stake", "win"]);
  const ids = await settlement.locator("code").allTextContents();
  expect(new Set(ids).size).toBe(3);
  const end = settlement.getByRole("listitem").last();
  await expect(end).toContainText(`${ada.username}−64.44 HC`);
  await expect(end).toContainText(`${bola.username}+55.56 HC`);
  await expect(end).toContainText("Held for the game0.00 HC");
  await settlement.getByRole("button", { name: "Exact figures" }).click();
  await expect(end).toContainText("Platform fee+8.880000 HC");

  await page.getByRole("button", { name: "Check", exact: true }).click();
  const record = page.getByRole("region", { name: "Record" });
  await expect(record.getByRole("status")).toContainText("The chain is whole. All 7 entries match");
  const { finalHash } = await (await ada.context.request.get(`${arena.url}/api/matches/${gameId}/log`)).json();
  await expect(record.locator("code")).toHaveAttribute("title", finalHash);
  const copy = record.getByRole("button", { name: "Copy the final hash" });
  // Denies what is not granted.
  await ada.context.grantPermissions([]);
  await copy.click();
  await expect(findToast(page, "Not copied")).toBeVisible();
  await ada.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await copy.click();
  await expect(copy).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(finalHash);

  const waiting = page.waitForEvent("download");
  await record.getByRole("link", { name: "Download PDN" }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toMatch(/\.pdn$/);
  const read = readPdn(await readFile(await download.path(), "utf8"));
  expect(read.ok && read.value.result).toBe("0-1");
  expect(read.ok && read.value.moves.map(({ path }) => path.map(formatSquare).join("-")).join(" ")).toBe(FOUR_PLIES);

  const visitor = await newVisitor();
  await visitor.route(`**/api/matches/${gameId}/log`, async (route) => {
    const log = await (await route.fetch()).text();
    await route.fulfill({ body: log.replace('\\"winner\\":2', '\\"winner\\":1') });
  });
  await visitor.goto(`/game/${gameId}`);
  const shown = visitor.getByRole("region", { name: "Record" });
  await shown.getByRole("button", { name: "Check", exact: true }).click();
  await expect(shown.getByRole("status")).toContainText("The chain is broken at entry 7.");
  await expect(visitor.getByRole("region", { name: "Settlement" })).toHaveCount(0);

  await page.getByRole("button", { name: "Options" }).click();
  await page.getByRole("dialog", { name: "Options" }).getByRole("button", { name: "Report" }).click();
  const report = page.getByRole("dialog", { name: "Report" });
  await report.getByLabel("About").selectOption("This game");
  await report.getByLabel("Reason").selectOption("Stalling");
  await report.getByLabel("What happened").fill("x".repeat(501));
  await report.getByRole("button", { name: "Send Report" }).click();
  await expect(report).toContainText("1 character too many. At most 500 fit.");
  await report.getByLabel("What happened").fill("x".repeat(500));
  await report.getByRole("button", { name: "Send Report" }).click();
  await expect(findToast(page, "Report sent")).toBeVisible();
  await expect(report).toHaveCount(0);

  await page.getByRole("button", { name: bola.username }).click();
  await page.getByRole("dialog", { name: "Player Record" }).getByRole("button", { name: "Block" }).click();
  await page.getByRole("dialog", { name: "Block Player?" }).getByRole("button", { name: "Block" }).click();
  await expect(findToast(page, "Blocked")).toBeVisible();
  const robots = await Promise.all([bola, ada, await addPlayer("chidi")].map((one) => connectRobot(one, arena.url)));
  const games: GameId[] = [];
  for (const robot of robots) games.push(await robot.create("checkers", 2));
  expect(games[1], "players who blocked each other are never paired").not.toBe(games[0]);
  expect(games[2]).toBe(games[0]);
  await robots[1]!.cancel(games[1]!);
  closeRobots(robots);
});
