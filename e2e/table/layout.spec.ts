import { mkdirSync } from "node:fs";
import process from "node:process";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { findLayoutFaults, type Size, type Wanted } from "../support/layout.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { runClockDown } from "../support/steps.ts";
import { closeRobots, FOUR_PLIES } from "../support/tables.ts";

const SIZES: readonly (readonly [width: number, height: number])[] = [
  [320, 454],
  [320, 568],
  [360, 516],
  [360, 616],
  [360, 640],
  [390, 844],
  [393, 727],
  [412, 732],
  [414, 622],
  [740, 300],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
];
/** The tightest of each layout. DEEP=1 checks all sizes. */
const EXTREMES = ["320x454", "360x616", "740x300", "768x1024", "1280x720", "2560x1440"];
const TEXT_SIZES = ["100%", "200%"] as const;
/** SCREENSHOTS=folder saves every state, by night and day. */
const folder = process.env.SCREENSHOTS ?? null;
const isWhole = process.env.DEEP === "1";
const sizes = SIZES.filter(([width, height]) => isWhole || EXTREMES.includes(`${width}x${height}`));

const TABLE: Wanted = {
  seen: [
    ".board",
    ".player-card .clock",
    ".table-actions > :is(.table-action, .rematch-button)",
    ".history-steps button",
  ],
  apart: [
    ".site-header .on-phones",
    ".board",
    ".player-card > *",
    ".turn-banner",
    ".bar-over",
    ".offer-bar",
    ".result-panel > *",
    ".history-steps > *",
    ".table-actions > *",
    ".stake-panel",
    ".captured-card",
    ".move-list",
  ],
};
const PLAYING: Wanted = { ...TABLE, seen: [...TABLE.seen, ".turn-banner h1"] };
const OFFERED: Wanted = {
  ...TABLE,
  seen: [
    ...PLAYING.seen.filter((selector) => selector !== ".history-steps button"),
    ".turn-banner .words p",
    ".offer-bar",
    ".offer-bar button",
    ".offer-bar h2",
    ".offer-bar .short",
  ],
};
const WAITING: Wanted = {
  ...TABLE,
  seen: [".board", ".player-card .clock", ".turn-banner h1", ".table-actions .button"],
};
const OVER: Wanted = { ...TABLE, seen: [...TABLE.seen, ".result-panel h1", ".result-panel .net"] };
/** A sheet covers the bottom of a phone, and repeats the clocks. */
const CHATTING: Wanted = {
  seen: [".chat-panel", ".chat-panel :is(input, button)", ".player-card.above .clock"],
  apart: [".chat-panel", ".player-card.above"],
};

test.describe.configure({ timeout: 600_000 });
// One state moves the clock of its table.
test.use({ ownServer: "moved clock" });
auditAfterwards();

async function inspectState(page: Page, state: string, wanted: Wanted): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const text of TEXT_SIZES) {
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
        scrollTo(0, 0);
      }, text);
      const found = await findLayoutFaults(page, wanted);
      faults.push(...found.map((fault) => `${state}, ${width}x${height} at ${text}: ${fault}`));
      if (folder !== null) await saveScreenshots(page, `${state}-${width}x${height}-${text.replace("%", "")}`);
    }
  }
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
  await page.setViewportSize({ width: 1280, height: 720 } satisfies Size);
  return faults;
}

async function saveScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(folder!, { recursive: true });
  for (const theme of ["night", "day"]) {
    await page.evaluate((shown) => {
      document.documentElement.dataset.theme = shown;
    }, theme);
    await page.screenshot({ path: `${folder}/${name}-${theme}.png` });
  }
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "night";
  });
}

async function openTable(page: Page, gameId: GameId): Promise<void> {
  await page.goto(`/game/${gameId}`);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
}

test("board, clocks, turn and actions fit every window and text size in every state [GAME-13]", async ({
  newPlayer,
  arena,
}) => {
  const [ada, bola] = [await newPlayer("ada"), await newPlayer("Emeka_Great")];
  const robots = [await connectRobot(ada, arena.url), await connectRobot(bola, arena.url)] as const;
  const { page } = ada;
  const faults: string[] = [];
  const inspect = async (state: string, wanted: Wanted) =>
    void faults.push(...(await inspectState(page, state, wanted)));

  const gameId = await robots[0].create("checkers", 10, 10);
  await openTable(page, gameId);
  await inspect("waiting", WAITING);

  await robots[1].join(gameId);
  await playLine(gameId, robots, FOUR_PLIES);
  await expect(page.getByText("You must capture.").first()).toBeVisible();
  await inspect("turn", PLAYING);
  await robots[1].send({ type: "request_takeback", gameId });
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(page.getByRole("dialog", { name: "Draw Offer" })).toBeVisible();
  await inspect("offers", OFFERED);

  await robots[0].move(gameId, "h4-f6");
  await robots[1].move(gameId, "e7-g5");
  await robots[1].send({ type: "chat", gameId, text: "Good luck, have fun!" });
  await page.getByRole("button", { name: "Chat" }).click();
  await expect(page.getByRole("dialog", { name: "Game Chat" })).toContainText("Good luck");
  await inspect("chat", CHATTING);
  await page.getByRole("button", { name: "Close chat" }).click();

  const clock = page.getByRole("timer", { name: `Clock of ${ada.username}` });
  await runClockDown(arena, clock, 45_000, () => playLine(gameId, robots, "b2-c3 a7-b6"));
  // a low clock that is stopped, so that the game cannot end meanwhile
  await robots[0].move(gameId, "a1-b2");
  await expect(page).toHaveTitle(/^Opponent's turn/);
  await expect(page.locator(".clock[data-low]")).toHaveCount(1);
  await inspect("low", PLAYING);

  await robots[1].send({ type: "resign", gameId });
  await expect(page.getByRole("heading", { name: "You won" })).toBeVisible();
  await inspect("won", OVER);
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(page.getByText("Move 8 of 9").first()).toBeAttached();
  await inspect("replay", OVER);

  const lost = await robots[0].create("checkers", 10, 10);
  await robots[1].join(lost);
  await playLine(lost, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId: lost });
  await openTable(page, lost);
  await expect(page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await inspect("lost", OVER);

  const drawn = await robots[0].create("chess", 10, 10);
  await robots[1].join(drawn);
  await playLine(drawn, robots, "g1-f3 g8-f6 f3-g1 f6-g8");
  await openTable(page, drawn);
  const offer = await robots[1].send({ type: "offer_draw", gameId: drawn });
  const { boardVersion } = await robots[0].waitForTable(drawn, ({ offers }) => offers.draw.pending !== null);
  await robots[0].send({ type: "answer_draw", gameId: drawn, offer, answer: "accept", atVersion: boardVersion });
  await expect(page.getByRole("heading", { name: "Draw", exact: true })).toBeVisible();
  await inspect("draw", OVER);

  closeRobots(robots);
});
