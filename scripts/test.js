/**
 * Runs Vitest and Playwright, and compares the ids in the titles with both reports; `--deep` adds
 * long tests. Ends with every failed test and `N passed, N failed`; no tests at all is a failure.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { checkAcceptance, REPORTS } from "./acceptance/acceptance.js";
import { endOnSignals, run } from "./process-tree.js";
import { findNode, ROOT, toCommand } from "./runtime.js";
import { makeTestFolder } from "./test-folder.js";

/**
 * @typedef {{ readonly passed: number, readonly failed: number }} Count
 * @typedef {{ readonly title: string, readonly message: string }} Failure
 * @typedef {object} Runner
 * @property {string} name
 * @property {readonly string[]} command
 * @property {string} report the file its JSON report goes to
 * @property {(report: any) => Count} count
 * @property {(report: any) => readonly Failure[]} listFailures
 */

/** Lines of a failure's message that the summary repeats. */
const MESSAGE_LINES = 12;

/** Not `pretest` of npm: npm ends only the shell of that, and its commands go on. */
const PREPARATION = [["scripts/prepare.js", "--chromium", "--nats"], ["scripts/build-web.js"]];

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
    listFailures: listUnitFailures,
  },
  {
    name: "browser tests",
    command: [toCommand("@playwright/test/cli.js"), "test", "--reporter=list,json"],
    report: REPORTS.browser,
    // A test that passed only when retried has failed.
    count: ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
    listFailures: listBrowserFailures,
  },
];

endOnSignals();
for (const command of PREPARATION) {
  const status = await run(findNode() ?? process.execPath, command, {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
}
const testFolder = makeTestFolder();
const env = {
  ...process.env,
  ...(testFolder !== null && { TMPDIR: testFolder }),
  NODE_ENV: "test",
  // Tests produce much garbage: collecting it less often saves a tenth of the processor time.
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64`.trim(),
  // Dozens of servers start: they share compiled code.
  NODE_COMPILE_CACHE: path.join(ROOT, ".cache", "compiled"),
  PLAYWRIGHT_JSON_OUTPUT_FILE: REPORTS.browser,
  PWTEST_CACHE_DIR: path.join(ROOT, ".cache", "playwright"),
  ...(process.argv.includes("--deep") && { DEEP: "1" }),
};

/**
 * @param {any} report Vitest's, as JSON
 * @returns {readonly Failure[]}
 */
function listUnitFailures({ testResults }) {
  return testResults.flatMap((/** @type {any} */ file) =>
    file.assertionResults
      .filter((/** @type {any} */ test) => test.status === "failed")
      .map((/** @type {any} */ test) => ({
        title: `${path.relative(ROOT, file.name)} ${test.fullName}`,
        message: test.failureMessages.join("\n"),
      })),
  );
}

/**
 * @param {any} suite Playwright's report or one of its suites, as JSON
 * @returns {readonly Failure[]}
 */
function listBrowserFailures({ specs = [], suites = [] }) {
  const failed = specs.filter((/** @type {any} */ spec) => !spec.ok);
  return [
    ...failed.map((/** @type {any} */ { file, title, tests }) => ({
      title: `e2e/${file} ${title}`,
      message: tests
        .flatMap((/** @type {any} */ test) => test.results)
        .map((/** @type {any} */ result) => result.error?.message ?? result.status)
        .join("\n"),
    })),
    ...suites.flatMap(listBrowserFailures),
  ];
}

/** Repeats the failures last, because thousands of lines may be between a failure and the end. */
function printFailures() {
  for (const { report, listFailures } of RUNNERS) {
    if (!existsSync(report)) continue;
    for (const { title, message } of listFailures(JSON.parse(readFileSync(report, "utf8")))) {
      const shown = stripVTControlCharacters(message).split("\n").slice(0, MESSAGE_LINES);
      process.stdout.write(`FAILED ${title}\n${shown.map((line) => `    ${line}\n`).join("")}`);
    }
  }
}

/**
 * @param {Runner} runner
 * @returns {Promise<Count>}
 */
async function runTests({ name, command, report, count }) {
  const status = await run(findNode() ?? process.execPath, command, {
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
/** @type {Count[]} */
const counts = [];
for (const runner of RUNNERS) counts.push(await runTests(runner));
counts.push(checkAcceptance() ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
printFailures();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
