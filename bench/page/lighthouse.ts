import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import { chromium } from "@playwright/test";
import { findChromium } from "../../scripts/install/chromium.js";
import { atLeast, type Finding, formatNumber, note } from "../report.ts";
import { type BenchPlayer, findFreePort, startArena } from "../servers/arena.ts";
import { startCluster } from "../servers/cluster.ts";
import { median } from "../statistics.ts";
import { CHROMIUM_ARGS } from "./chromium-flags.ts";
import { addSession, buildPage } from "./page.ts";
import { startSampleGame } from "./sample-game.ts";

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly displayValue?: string }>>;
}

type RunLighthouse = (
  address: string,
  flags: { readonly port: number; readonly output: "json"; readonly logLevel: "error" },
) => Promise<{ readonly lhr: Report } | undefined>;

const FOLDER = fileURLToPath(new URL("../lighthouse/", import.meta.url));
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const ROUNDS = 5;
const SCORE_MIN = 95;
const DETAILS = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
];

/** Lighthouse with its defaults on home, matches and a game. Throws without Chromium. */
export async function benchLighthouse(): Promise<readonly Finding[]> {
  buildPage();
  const executablePath = findChromium();
  assert(executablePath !== null, "Chromium is installed");
  const run = await loadLighthouse();
  const cluster = await startCluster();
  const arena = await startArena(cluster, "lighthouse");
  const game = await startSampleGame(arena);
  const findings: Finding[] = [];
  for (const [name, place, player] of [
    ["home, visitor", "/", undefined],
    ["matches, visitor", "/matches", undefined],
    ["game, its player", game.path, game.player],
  ] as const) {
    const reports: Report[] = [];
    while (reports.length < ROUNDS) {
      note(`lighthouse: ${name}, ${reports.length + 1} of ${ROUNDS}`);
      reports.push(await runOnce(run, executablePath, arena.url, place, player));
    }
    findings.push(...CATEGORIES.map((category) => toFinding(name, category, reports)));
  }
  game.close();
  await arena.stop();
  await cluster.stop();
  return findings;
}

/** Installed on first use, with its own lock file, because it is larger than everything else. */
async function loadLighthouse(): Promise<RunLighthouse> {
  if (!existsSync(path.join(FOLDER, "node_modules"))) {
    note("lighthouse: installing it once");
    const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: FOLDER,
      stdio: ["ignore", 2, 2],
      shell: process.platform === "win32",
    });
    assert(status === 0, "Lighthouse can be installed");
  }
  const entry = pathToFileURL(path.join(FOLDER, "node_modules", "lighthouse", "core", "index.js")).href;
  const { default: run } = (await import(entry)) as { readonly default: RunLighthouse };
  return run;
}

async function runOnce(
  run: RunLighthouse,
  executablePath: string,
  url: string,
  place: string,
  player: BenchPlayer | undefined,
): Promise<Report> {
  const profile = mkdtempSync(path.join(tmpdir(), "holo-lighthouse-"));
  const port = await findFreePort();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...CHROMIUM_ARGS, `--remote-debugging-port=${port}`],
  });
  if (player !== undefined) await addSession(context, url, player);
  const result = await run(url + place, { port, output: "json", logLevel: "error" });
  await context.close();
  rmSync(profile, { recursive: true, force: true });
  assert(result !== undefined, "Lighthouse has a report");
  return result.lhr;
}

function toFinding(name: string, category: (typeof CATEGORIES)[number], reports: readonly Report[]): Finding {
  const scores = reports.map(({ categories }) => Math.round((categories[category]?.score ?? 0) * 100));
  const last = reports.at(-1);
  const told = DETAILS.map((audit) => `${audit} ${last?.audits[audit]?.displayValue ?? "?"}`).join(", ");
  return {
    part: "lighthouse",
    what: `${name}, ${category}`,
    figures: `${scores.map((score) => formatNumber(score)).join(" ")}${category === "performance" ? `; at last ${told}` : ""}`,
    goal: atLeast(median(scores), SCORE_MIN, ""),
  };
}
