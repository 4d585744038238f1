/**
 * `npm run acceptance`: checks docs/acceptance.md and the table of faults against the reports of
 * the last `npm test`. Lists malformed rows and tests that did not run or pass, and then exits 1.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "../runtime.js";
import { findUncovered, parseFaultTable, parseTable, readBrowserReport, readUnitReport } from "./acceptance-table.js";

const TABLE = "docs/acceptance.md";
const FAULT_TABLE = "docs/operations/faults.md";
const REPORT_DIR = path.join(ROOT, ".cache", "tests");
/** The JSON report of each test runner. */
export const REPORTS = { unit: path.join(REPORT_DIR, "unit.json"), browser: path.join(REPORT_DIR, "browser.json") };
/** Guard against a table that lost most of its rows. */
const ROWS_MIN = 250;
const FAULT_ROWS_MIN = 13;

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
 * Prints its findings.
 * @returns {boolean} whether both tables are covered
 */
export function checkAcceptance() {
  const reports = {
    unit: readReport(REPORTS.unit, readUnitReport),
    browser: readReport(REPORTS.browser, readBrowserReport),
  };
  const tables = [
    { name: "Acceptance table", page: TABLE, parse: parseTable, rowsMin: ROWS_MIN },
    { name: "Table of faults", page: FAULT_TABLE, parse: parseFaultTable, rowsMin: FAULT_ROWS_MIN },
  ];
  return tables
    .map(({ name, page, parse, rowsMin }) => {
      const { rows, faults } = parse(readFileSync(path.join(ROOT, page), "utf8"));
      const tooFew = rows.length < rowsMin ? [`only ${rows.length} rows; at least ${rowsMin} are expected`] : [];
      const all = [...faults, ...tooFew, ...findUncovered(rows, reports, toModifiedAt)];
      for (const fault of all) process.stdout.write(`${page}: ${fault}\n`);
      const named = new Set(rows.flatMap(({ tests }) => tests.map(({ file, id }) => `${file} ${id}`))).size;
      process.stdout.write(
        all.length === 0
          ? `${name}: ${rows.length} rows, covered by ${named} tests.\n`
          : `${name}: ${all.length} ${all.length === 1 ? "fault" : "faults"} in ${rows.length} rows.\n`,
      );
      return all.length === 0;
    })
    .every(Boolean);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) process.exitCode = checkAcceptance() ? 0 : 1;
