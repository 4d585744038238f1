/**
 * Runs Vitest and Playwright, then compares docs/acceptance.md with both reports as one more test.
 * Ends with `N passed, N failed`; a runner that runs nothing has failed. `--deep` adds long tests.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { checkAcceptance, REPORTS } from "./acceptance.js";
import { findNode, ROOT, toCommand } from "./runtime.js";

/**
 * @typedef {{ readonly passed: number, readonly failed: number }} Count
 * @typedef {object} Runner
 * @property {string} name
 * @property {readonly string[]} command
 * @property {string} report the file its JSON report goes to
 * @property {(report: any) => Count} count
 */

/** @type {readonly Runner[]} */
const RUNNERS = [
  {
    name: "unit and integration tests",
    command: [
      toCommand("vitest/vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${REPORTS.unit}`,
    ],
    report: REPORTS.unit,
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  },
  {
    name: "browser tests",
    command: [toCommand("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    report: REPORTS.browser,
    // A test that passed only when retried has failed.
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
  },
];

const env = {
  ...process.env,
  NODE_ENV: "test",
  // Dozens of servers start: they share compiled code.
  NODE_COMPILE_CACHE: path.join(ROOT, ".cache", "compiled"),
  PLAYWRIGHT_JSON_OUTPUT_FILE: REPORTS.browser,
  ...(process.argv.includes("--deep") && { DEEP: "1" }),
};

/**
 * @param {Runner} runner
 * @returns {Count}
 */
function run({ name, command, report, count }) {
  const { status } = spawnSync(findNode() ?? process.execPath, command, {
    cwd: ROOT,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const counted = existsSync(report) ? count(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 0 };
  if (counted.failed > 0) return counted;
  // The runner failed without a failed test, such as on a file that does not load.
  if (status !== 0) process.stdout.write(`The ${name} ended with ${status ?? "a signal"}: see above.\n`);
  else if (counted.passed === 0) process.stdout.write(`There were no ${name}.\n`);
  else return counted;
  return { passed: counted.passed, failed: 1 };
}

for (const report of Object.values(REPORTS)) {
  rmSync(report, { force: true });
  mkdirSync(path.dirname(report), { recursive: true });
}
const counts = RUNNERS.map(run);
counts.push(checkAcceptance() ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
