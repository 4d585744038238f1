/**
 * `npm run acceptance` writes docs/acceptance.md from the titles of the tests; `--check` says
 * whether the page is old. `npm test` compares the titles with its reports.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "../runtime.js";
import {
  findUncovered,
  formatTable,
  listTestFiles,
  readBrowserReport,
  readTests,
  readUnitReport,
} from "./acceptance-table.js";

const PAGE = "docs/acceptance.md";
/** What follows from here on is written by this script. */
const GENERATED = "<!-- generated -->\n";
/** Names ids as well. */
const FAULTS_PAGE = "docs/operations/faults.md";
const REPORT_DIR = path.join(ROOT, ".cache", "tests");
/** The JSON report of each test runner. */
export const REPORTS = { unit: path.join(REPORT_DIR, "unit.json"), browser: path.join(REPORT_DIR, "browser.json") };

function readAllTests() {
  process.chdir(ROOT);
  // The test of this script has examples of ids.
  return readTests(
    listTestFiles(["apps", "bench", "e2e", "packages", "scripts", "simulation"]).filter(
      (file) => !file.startsWith("scripts/acceptance/"),
    ),
  );
}

/** @param {string} file */
function toRelative(file) {
  return path.relative(ROOT, file).split(path.sep).join("/");
}

/**
 * @param {string} file
 * @param {typeof readUnitReport} read
 */
function readReport(file, read) {
  return existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8")), toRelative) : new Map();
}

/** @param {readonly string[]} faults */
function print(faults) {
  for (const fault of faults) process.stdout.write(`acceptance: ${fault}\n`);
  return faults.length === 0;
}

/**
 * Prints what did not run or pass in the last run of the tests.
 * @returns {boolean} whether every id is covered
 */
export function checkAcceptance() {
  const tests = readAllTests();
  const reports = [readReport(REPORTS.unit, readUnitReport), readReport(REPORTS.browser, readBrowserReport)];
  const isCovered = print([...tests.faults, ...findUncovered(tests, reports)]);
  if (isCovered) process.stdout.write(`acceptance: ${tests.rows.length} rows are covered\n`);
  return isCovered;
}

/** @param {boolean} isCheck */
function writePage(isCheck) {
  const tests = readAllTests();
  const page = readFileSync(PAGE, "utf8");
  const head = page.slice(0, page.indexOf(GENERATED) + GENERATED.length);
  const written = head + formatTable(tests);
  if (!isCheck) writeFileSync(PAGE, written);
  const isStale = isCheck && written !== page;
  const known = new Set(tests.rows.map(({ id }) => id));
  const named = readFileSync(FAULTS_PAGE, "utf8").match(/\b[A-Z]+-\d\d\b/g) ?? [];
  return print([
    ...tests.faults,
    ...named.filter((id) => !known.has(id)).map((id) => `${FAULTS_PAGE} names ${id}, which no test has`),
    ...(isStale ? [`${PAGE} is old: run \`npm run acceptance\``] : []),
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = writePage(process.argv.includes("--check")) ? 0 : 1;
}
