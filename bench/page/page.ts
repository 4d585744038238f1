import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { assert } from "@holo/kernel/assert.ts";
import { toCommandId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/install/chromium.js";
import { makeRandomGames, type RandomGame } from "../random-games.ts";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { type Arena, type BenchPlayer, joinOrCreate, sendFrame, startArena, waitForFrame } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { median } from "../statistics.ts";
import { isPlayableByHand, measureBoard, openMouse, playOnPage } from "./page-play.ts";

/** What the browser noticed during a game. */
interface Round {
  /** Tasks of more than 50 ms. */
  readonly longTasksMs: readonly number[];
  /** From each press or release until the screen showed the effect. */
  readonly pressesMs: readonly number[];
  readonly selectionsMs: readonly number[];
  readonly shift: number;
}

type Slowdown = 1 | typeof SLOWDOWN;

/** Without Chromium's own network requests. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const GAMES = ["checkers", "chess"] as const;
const COINS = 10_000;
const PLIES = 48;
const GAMES_TO_CHOOSE_FROM = 40;
/** A cheap phone compared with a developer's machine. */
const SLOWDOWN = 4;
/** A game with a long task is repeated: other processes can lengthen a task, never shorten it. */
const ROUNDS_MAX = 3;
const SETTLED_MS: Readonly<Record<Slowdown, number>> = { 1: 250, [SLOWDOWN]: 500 };
const LOADED_MS = 3_000;
const TASK_MS_MAX = 50;
const SELECTION_MS_MAX = 50;
const VIEWPORT = { width: 390, height: 844 };

export async function benchPage(): Promise<readonly Finding[]> {
  buildPage();
  const executablePath = findChromium();
  assert(executablePath !== null, "Chromium is installed");
  const cluster = await startCluster();
  const arena = await startArena(cluster);
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
  const players = await arena.makePlayers(2, COINS);
  const findings: Finding[] = [];
  for (const game of GAMES) {
    const play = { arena, browser, players, game, moves: chooseMoves(game) };
    const asItIs = await playRound({ ...play, slowdown: 1 });
    const slowed: Round[] = [];
    while (slowed.length < ROUNDS_MAX && slowed.every((round) => toLongestMs(round) > TASK_MS_MAX)) {
      slowed.push(await playRound({ ...play, slowdown: SLOWDOWN }));
    }
    findings.push(toTasks(game, slowed), toSelection(game, slowed), toShift(game, [asItIs, ...slowed]));
  }
  await browser.close();
  await arena.stop();
  await cluster.stop();
  return findings;
}

export function buildPage(): void {
  const script = fileURLToPath(new URL("../../scripts/build-web.js", import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: ["ignore", 2, 2] });
  assert(status === 0, "the page can be built");
}

/** A game whose moves of player 1 the board can play, without underpromotion. */
function chooseMoves(game: GameType): RandomGame {
  const options = { count: GAMES_TO_CHOOSE_FROM, plies: PLIES, orShorter: false, seed: 3 };
  const games = game === "chess" ? makeRandomGames(chess, options) : makeRandomGames(checkers, options);
  const playable = games.find((moves) => moves.every((move, ply) => ply % 2 === 1 || isPlayableByHand(move)));
  assert(playable !== undefined, "a random game can be played by hand");
  return playable;
}

interface RoundOptions {
  readonly arena: Arena;
  readonly browser: Browser;
  readonly players: readonly BenchPlayer[];
  readonly game: GameType;
  readonly moves: RandomGame;
  readonly slowdown: Slowdown;
}

async function playRound({ arena, browser, players, game, moves, slowdown }: RoundOptions): Promise<Round> {
  note(`page: a game of ${game} on a CPU ${slowdown}x slower`);
  const own = await arena.connect(players[0]!, 0);
  const opponent = await arena.connect(players[1]!, 1);
  const terms = { game, stake: 1, limitMinutes: 10 } as const;
  const gameId = await joinOrCreate(own, terms);
  await joinOrCreate(opponent, terms);
  own.close();

  const context = await browser.newContext({ viewport: VIEWPORT, locale: "en-NG" });
  const [name, value] = players[0]!.cookie.split("=");
  await context.addCookies([{ name: name!, value: value!, url: arena.origin, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.goto(`${arena.origin}/game/${gameId}`);
  await page.locator('[data-square][aria-description*="can move"]').first().waitFor();
  const toPoint = await measureBoard(page);
  const mouse = await openMouse(page);
  // A real mouse moves over the page before the first press.
  await mouse("mouseMoved", toPoint(0));
  await sleep(LOADED_MS);

  await beginObserving(page);
  await playOnPage({ game, gameId, mouse, opponent, moves, toPoint }, { settledMs: SETTLED_MS[slowdown] });
  const round = await endObserving(page);
  await context.close();
  const done = waitForFrame(opponent, "done");
  sendFrame(opponent, { type: "resign", commandId: toCommandId(randomUUID()), gameId });
  await done;
  opponent.close();
  return round;
}

/** Entries arrive after their tasks, so they are collected in the page until the end. */
async function beginObserving(page: Page): Promise<void> {
  await page.evaluate(() => {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: "longtask" });
    observer.observe({ type: "layout-shift" });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { benchEntries: entries, benchObserver: observer });
  });
}

async function endObserving(page: Page): Promise<Round> {
  return await page.evaluate(() => {
    const { benchEntries, benchObserver } = window as unknown as {
      readonly benchEntries: PerformanceEntry[];
      readonly benchObserver: PerformanceObserver;
    };
    const entries = [...benchEntries, ...benchObserver.takeRecords()];
    const presses = entries.filter((entry) => entry instanceof PerformanceEventTiming && entry.interactionId > 0);
    return {
      longTasksMs: entries.filter(({ entryType }) => entryType === "longtask").map(({ duration }) => duration),
      pressesMs: presses.map(({ duration }) => duration),
      selectionsMs: presses.filter(({ name }) => name === "pointerdown").map(({ duration }) => duration),
      shift: entries
        .filter(({ entryType }) => entryType === "layout-shift")
        .reduce((sum, entry) => sum + (entry as PerformanceEntry & { readonly value: number }).value, 0),
    };
  });
}

const toLongestMs = ({ longTasksMs }: Round): number => Math.max(0, ...longTasksMs);

/** The round in which other processes disturbed least. */
function findQuietest(rounds: readonly Round[], figure: (round: Round) => number): Round {
  return rounds.reduce((best, round) => (figure(round) < figure(best) ? round : best));
}

function toTasks(game: GameType, rounds: readonly Round[]): Finding {
  const quietest = findQuietest(rounds, toLongestMs);
  const figures = [
    `${quietest.longTasksMs.length} tasks over ${TASK_MS_MAX} in ${PLIES} plies`,
    `slowest press ${formatNumber(Math.max(0, ...quietest.pressesMs))}`,
    `the quietest of ${rounds.length} rounds`,
  ];
  return {
    part: "page",
    what: `${game} on a CPU ${SLOWDOWN}x slower, longest task over ${TASK_MS_MAX}, ms`,
    figures: figures.join("; "),
    goal: atMost(toLongestMs(quietest), TASK_MS_MAX, " ms"),
  };
}

function toSelection(game: GameType, rounds: readonly Round[]): Finding {
  const toSlowestMs = ({ selectionsMs }: Round): number => Math.max(0, ...selectionsMs);
  const quietest = findQuietest(rounds, toSlowestMs);
  const { selectionsMs } = quietest;
  return {
    part: "page",
    what: `${game} on a CPU ${SLOWDOWN}x slower, from a press to the selection, ms`,
    figures: `${selectionsMs.length} presses of 16 ms or more, median ${formatNumber(median(selectionsMs))}`,
    goal: atMost(toSlowestMs(quietest), SELECTION_MS_MAX, " ms"),
  };
}

function toShift(game: GameType, rounds: readonly Round[]): Finding {
  return {
    part: "page",
    what: `${game}, layout shift over the game`,
    figures: `the most of ${rounds.length} rounds`,
    goal: atMost(Math.max(...rounds.map(({ shift }) => shift)), 0, ""),
  };
}
