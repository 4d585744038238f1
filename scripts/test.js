/**
 * Runs the tests: unit and integration with Vitest, and beside them, since much of a browser's test is waiting, the whole product in a
 * browser with Playwright. Each runner's words are printed as it ends. The last line is `N passed, N failed`, summed over both; it
 * fails where a test failed, or a runner did, or ran nothing. With `--deep` also the long ones, and one runner after the other.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { findNode, ROOT, toCommand } from "./runtime.js";

/**
 * @typedef {{ readonly passed: number, readonly failed: number }} Count
 * @typedef {object} Runner
 * @property {string} name
 * @property {readonly string[]} command
 * @property {string} report the file its JSON report goes to
 * @property {(report: any) => Count} count
 */

const folder = path.join(ROOT, ".cache", "tests");
const unitReport = path.join(folder, "unit.json");
const browserReport = path.join(folder, "browser.json");

/** @type {readonly Runner[]} */
const RUNNERS = [
  {
    name: "unit and integration tests",
    command: [
      toCommand("vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${unitReport}`,
    ],
    report: unitReport,
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  },
  {
    name: "browser tests",
    command: [toCommand("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    report: browserReport,
    // A test that passed only when repeated has failed once too often.
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
  },
];

const isDeep = process.argv.includes("--deep");
const env = {
  ...process.env,
  NODE_ENV: "test",
  PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport,
  ...(isDeep && { DEEP: "1" }),
};

/**
 * @param {Runner} runner
 * @param {boolean} isAlone then its words are shown as they come
 * @returns {Promise<Count>}
 */
async function run({ name, command, report, count }, isAlone) {
  const output = isAlone ? "inherit" : "pipe";
  const child = spawn(findNode() ?? process.execPath, command, { cwd: ROOT, env, stdio: ["ignore", output, output] });
  /** @type {Buffer[]} */
  const words = [];
  child.stdout?.on("data", (chunk) => words.push(chunk));
  child.stderr?.on("data", (chunk) => words.push(chunk));
  const status = await new Promise((resolve) => child.once("close", resolve));
  process.stdout.write(Buffer.concat(words));
  const counted = existsSync(report) ? count(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0 };
  if (counted.failed > 0) return counted;
  // No test failed, yet the runner did (a file that does not load, an error outside tests), or there was nothing to run.
  if (status !== 0) process.stdout.write(`The ${name} ended with ${status ?? "a signal"}: see above.\n`);
  else if (counted.passed === 0) process.stdout.write(`There were no ${name}.\n`);
  else return counted;
  return { passed: counted.passed, failed: 1 };
}

/** @returns {Promise<readonly Count[]>} */
async function runAll() {
  if (!isDeep) return await Promise.all(RUNNERS.map((runner) => run(runner, false)));
  const counts = [];
  for (const runner of RUNNERS) counts.push(await run(runner, true));
  return counts;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const counts = await runAll();
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
