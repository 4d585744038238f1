import { mkdirSync } from "node:fs";
import process from "node:process";
import type { GameId } from "@holo/kernel/ids.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { Page } from "@playwright/test";
import { auditAfterwards, expect, test } from "../support/fixtures.ts";
import { findLayoutFaults, type Size, type Wanted } from "../support/layout.ts";
import { connectRobot, playLine } from "../support/robot.ts";
import { findToast, runClockDown } from "../support/steps.ts";
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
  [820, 1180],
  [1024, 552],
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
  [2560, 1440],
];
/** The tightest of each layout. DEEP=1 checks all sizes. */
const EXTREMES = ["320x454", "360x616", "740x300", "768x1024", "1024x552", "1024x768", "1280x720", "2560x1440"];
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
    ".result-head > :is(h1, p)",
    ".result-more",
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
/** A toast covers neither the board nor clocks, result, messages and buttons. */
const TOAST: Wanted = {
  seen: [
    ".toast:last-child",
    ".site-header :is(nav a, .on-phones)",
    ".board",
    ".player-card .clock",
    ".table-actions > .table-action",
    ".turn-banner h1",
  ],
  apart: [
    ".toast",
    ".board",
    ".player-card .clock",
    ".turn-banner",
    ".pot-line",
    ".offer-bar",
    ".table-actions > *",
    ".site-header",
  ],
};
const TOAST_AND_OFFERS: Wanted = { ...TOAST, seen: [...TOAST.seen, ".offer-bar", ".offer-bar button"] };
const WAITING: Wanted = {
  ...TABLE,
  seen: [".board", ".player-card .clock", ".turn-banner h1", ".table-actions .button"],
};
/** A place that is too low for a line of the result leaves the line out. */
const RESULT_LINES = [".result-head > :is(h1, .muted, .rematch-line)"];
const OVER: Wanted = {
  ...TABLE,
  seen: [...TABLE.seen, ".result-panel h1", ".result-panel .net .money"],
  whole: RESULT_LINES,
};
/** As it appears. */
const RESULT: Wanted = { ...OVER };
/** Beside the board, below the result. */
const MORE: Wanted = { seen: [], apart: [], whole: [".result-more > :is(.head-to-head, .rematch-line)"] };
const REMATCH: Wanted = {
  seen: [
    ".player-card.above .clock",
    ".table-actions > .table-action",
    ".offer-bar.rematch",
    ".offer-bar button",
    ".offer-bar h2",
  ],
  apart: [".player-card.above", ".offer-bar", ".table-actions > *"],
};
/** A window without a column for the result has a sheet over the board, whose lower lines scroll. */
const SHEET: Wanted = {
  seen: [
    ".result-panel h1",
    ".result-panel .net .money",
    ".result-head .muted",
    ".result-toggle",
    ".table-actions > :is(.table-action, .rematch-button)",
  ],
  apart: [".site-header .on-phones", ".result-head > :is(h1, p)", ".table-actions > *"],
};
const hasResultColumn = ({ width, height }: Size) => width >= 1200 && height > 640;
/** A sheet covers the bottom of a phone, and repeats the clocks. Quick messages scroll sideways. */
const CHATTING: Wanted = {
  seen: [
    ".chat-panel",
    ".chat-panel :is(input, header button, form button, .phrases > :first-child)",
    ".player-card.above .clock",
  ],
  apart: [".chat-panel", ".player-card.above"],
};
/** Elsewhere it leaves the board and both clocks visible. */
const CHATTING_BESIDE: Wanted = {
  seen: [...CHATTING.seen, ".board", ".player-card .clock"],
  apart: [".chat-panel", ".board", ".player-card"],
};
/** Large text leaves no room for the links: they are in the menu. */
const HEADER: Wanted = {
  seen: [".site-header .username", ".site-header .figure", ".site-header :is(nav a, .on-phones)"],
  apart: [".site-header .inside > :is(.brand, nav, .icon-button)", ".site-header .username", ".site-header .figure"],
};
/** The part of an upright tablet's width that the board takes during play, at least. */
const BOARD_SHARE_MIN = 0.65;
const isUprightTablet = ({ width, height }: Size) => width >= 720 && width / height <= 0.8;
/** On phones a table has the whole window. */
const hasHeader = ({ width, height }: Size) => width >= 720 && height > 500;

test.describe.configure({ timeout: 600_000 });
// One state moves the clock of its table.
test.use({ ownServer: "moved clock" });
auditAfterwards();

async function inspectState(page: Page, state: string, wanted: Wanted): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    const isSheet = wanted === RESULT && !hasResultColumn({ width, height });
    const parts = [isSheet ? SHEET : wanted];
    if (state === "waiting" && hasHeader({ width, height })) parts.push(HEADER);
    if (wanted === RESULT && !isSheet) parts.push(MORE);
    if (state === "chat" && width >= 720) parts.push(CHATTING_BESIDE);
    const found = await findLayoutFaults(page, parts, TEXT_SIZES);
    faults.push(...found.map((fault) => `${state}, ${width}x${height} ${fault}`));
    if (state === "turn" && isUprightTablet({ width, height })) {
      const board = await page.locator(".board").boundingBox();
      const share = (board?.width ?? 0) / width;
      if (share < BOARD_SHARE_MIN) faults.push(`the board has ${share.toFixed(2)} of the width of ${width}x${height}`);
    }
    if (folder !== null) await saveScreenshots(page, `${state.replaceAll(" ", "-")}-${width}x${height}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 } satisfies Size);
  return faults;
}

async function saveScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(folder!, { recursive: true });
  for (const text of TEXT_SIZES) {
    for (const theme of ["day", "night"]) {
      await page.evaluate(
        ([shown, size]) => {
          document.documentElement.dataset.theme = shown;
          document.documentElement.style.fontSize = size;
        },
        [theme, text] as const,
      );
      await page.screenshot({ path: `${folder}/${name}-${text.replace("%", "")}-${theme}.png` });
    }
  }
  await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
}

async function openTable(page: Page, gameId: GameId): Promise<void> {
  await page.goto(`/game/${gameId}`);
  await expect(page.getByRole("grid", { name: "Board" })).toBeVisible();
}

// [GAME-13 §2] At a table board, clocks, turn and every action are visible without scrolling, and nothing overlaps,
// from 320x454 to 2560x1440, at 100 % and 200 % text, in every state of the game. Where the result has no column of its
// own, it is a sheet over the lower part of the board, with sum, reason and every action, until it is closed.
test("board, clocks, turn and actions fit every window and text size in every state [GAME-13 GAME-21 HEAD-01]", async ({
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
  // On a common laptop a name of twelve letters has room beside its clock.
  const name = page.locator(".player-card.below .player-name");
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.getByRole("button", { name: "Offer Draw" }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.locator(".own-offer")).toBeVisible();
  const ownOffer = { seen: [".own-offer", ".move-list li"], apart: [".own-offer", ".move-list", ".table-actions > *"] };
  faults.push(...(await findLayoutFaults(page, [ownOffer], TEXT_SIZES)).map((fault) => `own offer ${fault}`));
  const asked = await robots[1].waitForTable(gameId, ({ offers }) => offers.draw.pending !== null);
  const refusal = {
    offer: asked.offers.draw.pending!.version,
    answer: "decline_all",
    atVersion: asked.boardVersion,
  } as const;
  await robots[1].send({ type: "answer_draw", gameId, ...refusal });
  const dismiss = findToast(page, "Draw Declined").getByRole("button", { name: "Dismiss" });
  // A focused toast stays, although the pointer leaves it.
  await dismiss.focus();
  await dismiss.hover();
  await page.mouse.move(640, 700);
  await inspect("toast", TOAST);
  await robots[1].send({ type: "request_takeback", gameId });
  await robots[1].send({ type: "offer_draw", gameId });
  await expect(page.getByRole("dialog", { name: "Draw Offer" })).toBeVisible();
  await inspect("toast and offers", TOAST_AND_OFFERS);
  await dismiss.click();
  await expect(dismiss).toHaveCount(0);
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
  await inspect("won", RESULT);
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(page.getByText("Move 8 of 9").first()).toBeAttached();
  await inspect("replay", OVER);
  await page.getByRole("button", { name: "Last move" }).click();
  await robots[1].send({ type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS });
  await expect(page.getByRole("dialog", { name: "Rematch Offer" })).toBeVisible();
  await inspect("rematch", REMATCH);

  const lost = await robots[0].create("checkers", 10, 10);
  await robots[1].join(lost);
  await playLine(lost, robots, FOUR_PLIES);
  await robots[0].send({ type: "resign", gameId: lost });
  await openTable(page, lost);
  await expect(page.getByRole("heading", { name: "You lost" })).toBeVisible();
  await inspect("lost", RESULT);

  const drawn = await robots[0].create("chess", 10, 10);
  await robots[1].join(drawn);
  await playLine(drawn, robots, "g1-f3 g8-f6 f3-g1 f6-g8");
  await openTable(page, drawn);
  const offer = await robots[1].send({ type: "offer_draw", gameId: drawn });
  const { boardVersion } = await robots[0].waitForTable(drawn, ({ offers }) => offers.draw.pending !== null);
  await robots[0].send({ type: "answer_draw", gameId: drawn, offer, answer: "accept", atVersion: boardVersion });
  await expect(page.getByRole("heading", { name: "Draw", exact: true })).toBeVisible();
  await inspect("draw", RESULT);

  closeRobots(robots);
  expect(faults).toEqual([]);
});
