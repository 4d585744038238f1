/**
 * Checks docs/acceptance.md against the reports of the last `npm test`: `npm run acceptance`. Exits 1 and names each row that is not as
 * it has to be, and each test that is not there or did not pass.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { findUnshown, parseTable, readBrowserReport, readUnitReport } from "./acceptance-table.js";
import { ROOT } from "./runtime.js";

const TABLE = "docs/acceptance.md";
const FOLDER = path.join(ROOT, ".cache", "tests");
/** Where each runner leaves what it found, for this check and for the count at the end of a run. */
export const REPORTS = { unit: path.join(FOLDER, "unit.json"), browser: path.join(FOLDER, "browser.json") };
/** Far below what there is: a table that lost its rows shows nothing. */
const ROWS_MIN = 250;

/** @param {string} file */
function toRelative(file) {
  return path.relative(ROOT, file).split(path.sep).join("/");
}

/** @param {string} file */
function toModifiedAt(file) {
  return statSync(path.join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/**
 * @param {string} file
 * @param {typeof readUnitReport} read
 */
function readReport(file, read) {
  return existsSync(file) ? read(JSON.parse(readFileSync(file, "utf8")), toRelative) : null;
}

/**
 * Says what it finds on standard output.
 * @returns {boolean} whether the whole table holds
 */
export function checkAcceptance() {
  const { rows, faults } = parseTable(readFileSync(path.join(ROOT, TABLE), "utf8"));
  const reports = {
    unit: readReport(REPORTS.unit, readUnitReport),
    browser: readReport(REPORTS.browser, readBrowserReport),
  };
  const tooFew = rows.length < ROWS_MIN ? [`only ${rows.length} rows, where at least ${ROWS_MIN} belong`] : [];
  const all = [...faults, ...tooFew, ...findUnshown(rows, reports, toModifiedAt)];
  for (const fault of all) process.stdout.write(`${TABLE}: ${fault}\n`);
  const named = new Set(rows.flatMap(({ tests }) => tests.map(({ file, title }) => `${file} ${title}`))).size;
  process.stdout.write(
    all.length === 0
      ? `The acceptance table holds: ${rows.length} rows, shown by ${named} tests.\n`
      : `The acceptance table does not hold: ${all.length} ${all.length === 1 ? "fault" : "faults"} in ${rows.length} rows.\n`,
  );
  return all.length === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = checkAcceptance() ? 0 : 1;
