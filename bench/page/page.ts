import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { assert } from "@holo/kernel/assert.ts";
import { toCommandId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/install/chromium.js";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";
import {
  type Arena,
  addCoins,
  type BenchPlayer,
  joinOrCreate,
  sendFrame,
  startArena,
  waitForFrame,
} from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { median, quantile } from "../statistics.ts";
import { CHROMIUM_ARGS } from "./chromium-flags.ts";
import { readTasks, type Task, TRACE_CATEGORIES } from "./main-thread.ts";
import { isPlayableByHand, measureBoard, openMouse, playOnPage } from "./page-play.ts";

interface Observed {
  readonly longTasksMs: readonly number[];
  /** From each press or release until the screen showed the effect, in ms. */
  readonly pressesMs: readonly number[];
  readonly selectionsMs: readonly number[];
  readonly shift: number;
}

interface Round extends Observed {
  readonly tasks: readonly Task[];
  readonly scripts: readonly Script[];
}

interface Script {
  readonly url: string;
  readonly bytes: number;
}

type Slowdown = 1 | typeof SLOWDOWN;

const GAMES = ["checkers", "chess"] as const;
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
const GAME_KB_MAX = 60;
const VIEWPORT = { width: 390, height: 844 };
const BEGIN_MARK = "bench-begin";
const END_MARK = "bench-end";

export async function benchPage(traceDir?: string): Promise<readonly Finding[]> {
  buildPage();
  const executablePath = findChromium();
  assert(executablePath !== null, "Chromium is installed");
  const cluster = await startCluster();
  const arena = await startArena(cluster, "arena");
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  const players = await arena.makePlayers(2);
  await addCoins(arena.connectionString, players);
  const findings: Finding[] = [];
  for (const game of GAMES) {
    const play = { arena, browser, players, game, moves: chooseMoves(game), traceDir };
    const asItIs = await playRound({ ...play, slowdown: 1, savesData: true });
    const slowed: Round[] = [];
    while (slowed.length < ROUNDS_MAX && slowed.every((round) => toLongestMs(round) > TASK_MS_MAX)) {
      slowed.push(await playRound({ ...play, slowdown: SLOWDOWN, savesData: false }));
    }
    findings.push(toFinding(game, 1, [asItIs]), toFinding(game, SLOWDOWN, slowed));
    findings.push(toSelection(game, slowed), toShift(game, [asItIs, ...slowed]));
    findings.push(await measureWeight(game, arena.url, asItIs.scripts, slowed[0]!.scripts));
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
  readonly savesData: boolean;
  readonly traceDir: string | undefined;
}

async function playRound({ arena, browser, ...options }: RoundOptions): Promise<Round> {
  const { players, game, moves, slowdown, savesData, traceDir } = options;
  note(`page: a game of ${game} ${toPlace(slowdown)}`);
  const [player, opponentPlayer] = [players[0]!, players[1]!];
  const own = await arena.connect(player);
  const opponent = await arena.connect(opponentPlayer);
  const terms = { game, stake: 1, limitMinutes: 10 } as const;
  const gameId = await joinOrCreate(own, terms);
  await joinOrCreate(opponent, terms);
  own.close();

  const context = await openContext(browser, arena.url, player);
  const page = await context.newPage();
  const scripts: Promise<Script>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() !== "script") return;
    scripts.push(request.sizes().then(({ responseBodySize: bytes }) => ({ url: request.url(), bytes })));
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await cdp.send("Emulation.setDataSaverOverride", { dataSaverEnabled: savesData });
  await page.goto(`${arena.url}/game/${gameId}`);
  await page.locator('[data-square][aria-description*="can move"]').first().waitFor();
  const toPoint = await measureBoard(page);
  const mouse = await openMouse(page);
  // A real mouse moves over the page before the first press.
  await mouse("mouseMoved", toPoint(0));
  await sleep(LOADED_MS);

  await browser.startTracing(page, { categories: [...TRACE_CATEGORIES] });
  await beginObserving(page);
  await playOnPage({ game, gameId, mouse, opponent, moves, toPoint }, { settledMs: SETTLED_MS[slowdown] });
  const observed = await endObserving(page);
  const trace = (await browser.stopTracing()).toString("utf8");
  if (traceDir !== undefined) keepTrace(traceDir, `page-${game}-${slowdown}x.json`, trace);
  const round = { ...observed, tasks: readTasks(trace, BEGIN_MARK, END_MARK), scripts: await Promise.all(scripts) };
  await context.close();
  const done = waitForFrame(opponent, "done");
  sendFrame(opponent, { type: "resign", commandId: toCommandId(randomUUID()), gameId });
  await done;
  opponent.close();
  return round;
}

export async function openContext(
  browser: Browser,
  url: string,
  player: BenchPlayer,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: "en-NG", ...options });
  await addSession(context, url, player);
  return context;
}

export async function addSession(context: BrowserContext, url: string, { cookie }: BenchPlayer): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name: name!, value: value!, url, httpOnly: true, sameSite: "Lax" }]);
}

/** Entries arrive after their tasks, so they are collected in the page until the end. */
async function beginObserving(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void entries.push(...list.getEntries()));
    observer.observe({ type: "longtask" });
    observer.observe({ type: "layout-shift" });
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    Object.assign(window, { benchEntries: entries, benchObserver: observer });
    performance.mark(mark);
  }, BEGIN_MARK);
}

async function endObserving(page: Page): Promise<Observed> {
  return await page.evaluate((mark) => {
    performance.mark(mark);
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
  }, END_MARK);
}

function keepTrace(folder: string, name: string, trace: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), trace);
}

function toPlace(slowdown: number): string {
  return slowdown === 1 ? "on this CPU" : `on a CPU ${slowdown}x slower`;
}

function toLongestMs({ tasks, longTasksMs }: Round): number {
  return Math.max(...tasks.map(({ wallMs }) => wallMs), ...longTasksMs);
}

function toFinding(game: GameType, slowdown: Slowdown, rounds: readonly Round[]): Finding {
  const quietest = rounds.reduce((best, round) => (toLongestMs(round) < toLongestMs(best) ? round : best));
  const { tasks, longTasksMs, pressesMs } = quietest;
  const longest = tasks.reduce((most, task) => (task.wallMs > most.wallMs ? task : most));
  const overCount = Math.max(longTasksMs.length, tasks.filter(({ wallMs }) => wallMs > TASK_MS_MAX).length);
  const p99Ms = quantile(
    tasks.map(({ wallMs }) => wallMs),
    0.99,
  );
  const figures = [
    `${formatNumber(tasks.length)} tasks in ${PLIES} plies, p99 ${formatNumber(p99Ms, 1)}`,
    `longest ${formatNumber(longest.wallMs, 1)}, its thread ${formatNumber(longest.cpuMs, 1)}`,
    `the thread's most ${formatNumber(Math.max(...tasks.map(({ cpuMs }) => cpuMs)), 1)}`,
    `${overCount} over ${TASK_MS_MAX}`,
    `slowest press ${formatNumber(Math.max(0, ...pressesMs))}`,
    ...(rounds.length > 1 ? [`the quietest of ${rounds.length} rounds`] : []),
  ];
  const finding = {
    part: "page",
    what: `${game} ${toPlace(slowdown)}, longest task, ms`,
    figures: figures.join("; "),
  };
  return slowdown === 1 ? finding : { ...finding, goal: atMost(toLongestMs(quietest), TASK_MS_MAX, " ms") };
}

function toSelection(game: GameType, rounds: readonly Round[]): Finding {
  const slowestMs = ({ selectionsMs }: Round): number => Math.max(0, ...selectionsMs);
  const quietest = rounds.reduce((best, round) => (slowestMs(round) < slowestMs(best) ? round : best));
  const { selectionsMs } = quietest;
  return {
    part: "page",
    what: `${game} ${toPlace(SLOWDOWN)}, from a press to the selection, ms`,
    figures: `${selectionsMs.length} presses of 16 ms or more, median ${formatNumber(median(selectionsMs))}`,
    goal: atMost(slowestMs(quietest), SELECTION_MS_MAX, " ms"),
  };
}

function toShift(game: GameType, rounds: readonly Round[]): Finding {
  const shift = Math.max(...rounds.map((round) => round.shift));
  return {
    part: "page",
    what: `${game}, layout shift over the game`,
    figures: `the most of ${rounds.length} rounds`,
    goal: atMost(shift, 0, ""),
  };
}

/**
 * Scripts fetched until the last move, without the shell, which the HTML names. `ahead` is the same
 * with prefetching.
 */
async function measureWeight(
  game: GameType,
  url: string,
  scripts: readonly Script[],
  ahead: readonly Script[],
): Promise<Finding> {
  const html = await (await fetch(url)).text();
  const named = new Set([...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, file]) => new URL(file!, url).href));
  const sum = (some: readonly Script[]): number => some.reduce((total, { bytes }) => total + bytes, 0) / 1_000;
  const [shell, beyond] = [scripts.filter((one) => named.has(one.url)), scripts.filter((one) => !named.has(one.url))];
  assert(shell.length > 0 && beyond.length > 0, "the page and its game were fetched");
  return {
    part: "page",
    what: `${game}, JavaScript beyond the shell, kB fetched`,
    figures: `${formatNumber(sum(beyond), 1)} in ${beyond.length} files, the shell ${formatNumber(sum(shell), 1)}; all with what is fetched ahead ${formatNumber(sum(ahead), 1)}`,
    goal: atMost(sum(beyond), GAME_KB_MAX, " kB"),
  };
}
