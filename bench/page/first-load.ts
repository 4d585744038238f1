import { setTimeout as sleep } from "node:timers/promises";
import { assert } from "@holo/kernel/assert.ts";
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from "@playwright/test";
import { findChromium } from "../../scripts/install/chromium.js";
import { atMost, type Finding, formatNumber, note } from "../report.ts";
import { type BenchPlayer, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { median } from "../statistics.ts";
import { CHROMIUM_ARGS } from "./chromium-flags.ts";
import { openCountingProxy } from "./counting-proxy.ts";
import { readTasks, TRACE_CATEGORIES } from "./main-thread.ts";
import { buildPage, openContext } from "./page.ts";
import { startSampleGame } from "./sample-game.ts";

interface Load {
  readonly playableMs: number;
  readonly lcpMs: number;
  /** Sum of all layout shifts until two seconds later. */
  readonly shift: number;
  readonly kilobytes: Readonly<Record<Kind, number>>;
}

interface PaintLoad {
  readonly paintMs: number;
  /** Of the longest task. */
  readonly wallMs: number;
  readonly cpuMs: number;
}

type Kind = (typeof KINDS)[number];

const KINDS = ["document", "stylesheet", "script", "font", "fetch"] as const;
/** Counted against the budget, unlike fonts and API responses. */
const BUDGETED: readonly Kind[] = ["document", "stylesheet", "script"];
const ROUNDS = 5;
const FIRST_KB_MAX = 110;
const REPEAT_KB_MAX = 10;
const LCP_MS_MAX = 2_000;
const SETTLED_MS = 2_000;
const POLL_MS = 100;
/** A cheap phone at 1.6 Mbit/s with 150 ms per round trip. */
const SLOW_CPU = 4;
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
/** Fast 3G as in the browser's developer tools. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 188_744, uploadThroughput: 86_400 };
const FIRST_PAINT_MS_MAX = 3_000;
const TASK_MS_MAX = 50;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const BEGIN_MARK = "bench-begin";
const END_MARK = "bench-end";
/** A page that does almost nothing, to compare the others with. */
const FLOOR_PATH = "/bench-floor";
const FLOOR_HTML = `<!doctype html><meta name="viewport" content="width=device-width"><title>Floor</title>
<style>body { font-family: system-ui, sans-serif }</style><div id="root"><h1>Matches</h1><p>One line of text.</p></div>`;
const PLAYABLE = '[data-square][aria-description*="can move"]';
/** Pages with content that loads late; the other pages share their layouts. */
const VISITOR_PATHS = ["/", "/matches", "/login", "/leaderboard", "/about"];
const PLAYER_PATHS = ["/", "/matches", "/wallet", "/create-match"];

/** First and repeated load of home and a game on a slow phone. Throws without Chromium. */
export async function benchFirstLoad(): Promise<readonly Finding[]> {
  buildPage();
  const executablePath = findChromium();
  assert(executablePath !== null, "Chromium is installed");
  const cluster = await startCluster();
  let port = 0;
  const proxy = await openCountingProxy(() => port);
  const arena = await startArena(cluster, "first_load", undefined, proxy.url);
  port = Number(new URL(arena.url).port);
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS] });
  const game = await startSampleGame(arena);
  const findings: Finding[] = [];
  for (const [name, path, player] of [
    ["home, visitor", "/", undefined],
    ["game, its player", game.path, game.player],
  ] as const) {
    const loads: Load[] = [];
    while (loads.length < ROUNDS) {
      note(`first load: ${name}, ${loads.length + 1} of ${ROUNDS}`);
      const context = await openBrowserContext(browser, proxy.url, player);
      loads.push(await measureLoad(await context.newPage(), proxy.url + path));
      await context.close();
    }
    findings.push(...toFindings(name, loads));
  }
  for (const serviceWorkers of ["block", "allow"] as const) {
    findings.push(await measureRepeat(browser, proxy, serviceWorkers));
  }
  findings.push(await measureShifts(browser, proxy.url, game.player));
  findings.push(toFloorFinding(await measureFirstPaint(browser, proxy.url, FLOOR_PATH)));
  for (const path of ["/", "/matches", game.path]) {
    findings.push(...toPaintFindings(path, await measureFirstPaint(browser, proxy.url, path)));
  }
  game.close();
  await browser.close();
  await proxy.close();
  await arena.stop();
  await cluster.stop();
  return findings;
}

/** When a visitor on a cheap phone with Fast 3G sees something, and the longest task. */
async function measureFirstPaint(browser: Browser, url: string, path: string): Promise<readonly PaintLoad[]> {
  const loads: PaintLoad[] = [];
  while (loads.length < ROUNDS) {
    note(`first load: first paint of ${toPageName(path)}, ${loads.length + 1} of ${ROUNDS}`);
    const context = await openBrowserContext(browser, url, undefined);
    const page = await context.newPage();
    if (path === FLOOR_PATH)
      await page.route(url + path, (route) => route.fulfill({ contentType: "text/html", body: FLOOR_HTML }));
    await page.addInitScript((mark) => {
      const seen = { paintMs: 0 };
      Object.assign(window, { benchSeen: seen });
      new PerformanceObserver((list) => {
        for (const { startTime } of list.getEntriesByName("first-contentful-paint")) seen.paintMs = startTime;
      }).observe({ type: "paint", buffered: true });
      performance.mark(mark);
    }, BEGIN_MARK);
    const cdp = await context.newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.emulateNetworkConditions", FAST_3G);
    await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
    await browser.startTracing(page, { categories: [...TRACE_CATEGORIES] });
    await page.goto(url + path);
    while (!(await readInPage<boolean>(cdp, "document.querySelector('#root:not([aria-busy])') !== null"))) {
      await sleep(POLL_MS);
    }
    await sleep(SETTLED_MS);
    await readInPage(cdp, `void performance.mark("${END_MARK}")`);
    const tasks = readTasks((await browser.stopTracing()).toString("utf8"), BEGIN_MARK, END_MARK, "begin");
    const { paintMs } = await readInPage<{ readonly paintMs: number }>(cdp, "benchSeen");
    const [wallMs, cpuMs] = [tasks.map((task) => task.wallMs), tasks.map((task) => task.cpuMs)];
    loads.push({ paintMs, wallMs: Math.max(...wallMs), cpuMs: Math.max(...cpuMs) });
    await context.close();
  }
  return loads;
}

function toFloorFinding(loads: readonly PaintLoad[]): Finding {
  return {
    part: "first-load",
    what: `${toPageName(FLOOR_PATH)}, longest task while it loads, ms`,
    figures: toTaskFigures(loads),
  };
}

function toPaintFindings(path: string, loads: readonly PaintLoad[]): readonly Finding[] {
  const part = "first-load";
  const name = toPageName(path);
  const paints = loads.map(({ paintMs }) => paintMs);
  return [
    {
      part,
      what: `${name}, first paint on Fast 3G, ms`,
      figures: `the median of ${ROUNDS}, the slowest ${formatNumber(Math.max(...paints))}`,
      goal: atMost(median(paints), FIRST_PAINT_MS_MAX, " ms"),
    },
    {
      part,
      what: `${name}, longest task while it loads, ms`,
      figures: toTaskFigures(loads),
      goal: atMost(Math.min(...loads.map(({ cpuMs }) => cpuMs)), TASK_MS_MAX, " ms"),
    },
  ];
}

function toTaskFigures(loads: readonly PaintLoad[]): string {
  const [wallMs, cpuMs] = [loads.map((load) => load.wallMs), loads.map((load) => load.cpuMs)];
  const [cpu, wall] = [cpuMs, wallMs].map(
    (times) => `${formatNumber(Math.min(...times))}, the median ${formatNumber(median(times))}`,
  );
  return `its thread, the best of ${ROUNDS}: ${cpu}; on the wall ${wall}`;
}

function toPageName(path: string): string {
  if (path === FLOOR_PATH) return "a heading and a paragraph without script";
  if (path.startsWith("/game/")) return "game, its watcher";
  return `${path === "/" ? "home" : path.slice(1)}, visitor`;
}

/** Playwright's own reading would compile 330 kB of script in the page, the longest task of all. */
async function readInPage<Value>(cdp: CDPSession, expression: string): Promise<Value> {
  const { result } = await cdp.send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value as Value;
}

async function openBrowserContext(
  browser: Browser,
  url: string,
  player: BenchPlayer | undefined,
): Promise<BrowserContext> {
  const options = { viewport: PHONE, serviceWorkers: "block" } as const;
  return player === undefined ? await browser.newContext(options) : await openContext(browser, url, player, options);
}

async function measureLoad(page: Page, address: string): Promise<Load> {
  await observe(page);
  const kilobytes: Record<Kind, number> = { document: 0, stylesheet: 0, script: 0, font: 0, fetch: 0 };
  const sizes: Promise<void>[] = [];
  let isPlayable = false;
  page.on("requestfinished", (request) => {
    const kind = KINDS.find((one) => one === request.resourceType());
    if (isPlayable || kind === undefined) return;
    sizes.push(
      request.sizes().then(({ responseBodySize }) => {
        kilobytes[kind] += responseBodySize / 1_000;
      }),
    );
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", SLOW_LINE);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
  const fromMs = performance.now();
  await page.goto(address);
  await page.locator(PLAYABLE).first().waitFor();
  const playableMs = performance.now() - fromMs;
  isPlayable = true;
  await Promise.all(sizes);
  await sleep(SETTLED_MS);
  return { playableMs, kilobytes, ...(await readObserved(page)) };
}

async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { lcpMs: 0, shift: 0 };
    Object.assign(window, { benchSeen: seen });
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.lcpMs = startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

function readObserved(page: Page): Promise<Pick<Load, "lcpMs" | "shift">> {
  return page.evaluate(() => (window as unknown as { benchSeen: { lcpMs: number; shift: number } }).benchSeen);
}

function toFindings(name: string, loads: readonly Load[]): readonly Finding[] {
  const part = "first-load";
  const [load] = loads;
  assert(load !== undefined, "the page was loaded");
  const lcpMs = median(loads.map((one) => one.lcpMs));
  const shift = Math.max(...loads.map((one) => one.shift));
  const sum = BUDGETED.reduce((total, kind) => total + load.kilobytes[kind], 0);
  const kinds = KINDS.map((kind) => `${kind} ${formatNumber(load.kilobytes[kind], 1)}`).join(", ");
  const playable = `playable after ${formatNumber(median(loads.map(({ playableMs }) => playableMs)))} ms`;
  return [
    {
      part,
      what: `${name}, script, style and HTML until playable, kB`,
      figures: kinds,
      // The build limits the game.
      ...(name.startsWith("home") && { goal: atMost(sum, FIRST_KB_MAX, " kB") }),
    },
    { part, what: `${name}, largest paint, ms`, figures: playable, goal: atMost(lcpMs, LCP_MS_MAX, " ms") },
    { part, what: `${name}, layout shift`, figures: `the most of ${ROUNDS}`, goal: atMost(shift, 0, "") },
  ];
}

/** Bytes of a second visit to home, with headers, until practice can be played. */
async function measureRepeat(
  browser: Browser,
  proxy: { readonly url: string; readonly receivedBytes: () => number },
  serviceWorkers: "allow" | "block",
): Promise<Finding> {
  note(`first load: home once more, service worker: ${serviceWorkers}`);
  const context = await browser.newContext({ viewport: PHONE, serviceWorkers });
  const first = await context.newPage();
  await first.goto(`${proxy.url}/`);
  await first.locator(PLAYABLE).first().waitFor();
  if (serviceWorkers === "allow") await first.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await sleep(SETTLED_MS);
  await first.close();
  const before = proxy.receivedBytes();
  const page = await context.newPage();
  await page.goto(`${proxy.url}/`);
  await page.locator(PLAYABLE).first().waitFor();
  await sleep(SETTLED_MS);
  const kilobytes = (proxy.receivedBytes() - before) / 1_000;
  await context.close();
  return {
    part: "first-load",
    what: `home once more, ${serviceWorkers === "allow" ? "with" : "without"} the service worker, kB on the proxy`,
    figures: "all headers, the socket and the worker's own requests with it",
    goal: atMost(kilobytes, REPEAT_KB_MAX, " kB"),
  };
}

async function measureShifts(browser: Browser, url: string, player: BenchPlayer): Promise<Finding> {
  const shifts: { readonly place: string; readonly shift: number }[] = [];
  for (const viewport of [DESKTOP, PHONE]) {
    for (const [who, paths] of [
      [undefined, VISITOR_PATHS],
      [player, PLAYER_PATHS],
    ] as const) {
      const context = await openBrowserContext(browser, url, who);
      for (const path of paths) {
        note(`first load: layout of ${path}, ${viewport.width} px wide`);
        const page = await context.newPage();
        await page.setViewportSize(viewport);
        await observe(page);
        await page.goto(url + path);
        await sleep(SETTLED_MS);
        shifts.push({ place: `${path} ${viewport.width} px`, shift: (await readObserved(page)).shift });
        await page.close();
      }
      await context.close();
    }
  }
  const most = shifts.reduce((worst, one) => (one.shift > worst.shift ? one : worst));
  return {
    part: "first-load",
    what: `the most layout shift of ${shifts.length} pages`,
    figures: most.shift === 0 ? "none moves" : `${most.place} ${formatNumber(most.shift, 4)}`,
    goal: atMost(most.shift, 0, ""),
  };
}
