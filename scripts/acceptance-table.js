/** Reads docs/acceptance.md and what the runners reported, and holds the one against the other. */

/**
 * @typedef {object} NamedTest
 * @property {string} file from the root of the repository
 * @property {string} title with those of the groups around it, as the table writes it
 *
 * @typedef {object} Row
 * @property {string} id such as HOME-07
 * @property {number} line in the table's file, from 1
 * @property {readonly NamedTest[]} tests
 *
 * @typedef {{ readonly rows: readonly Row[], readonly faults: readonly string[] }} Table
 *
 * @typedef {object} Report what one runner said of its last run
 * @property {number} startedAt milliseconds since 1970
 * @property {ReadonlyMap<string, readonly boolean[]>} outcomes whether each test passed, by `toKey`; more than one where tests share a title
 */

/** Between a test's file, its groups and its title. */
const SEPARATOR = " › ";

const HEADER = ["id", "what can be observed", "spec", "ruling", "shown by"];
const ID = /^[A-Z]+-\d\d$/;
/** Sections of the specification, and rulings, as the files beside the table number them. */
const SECTION_MAX = 9;
const RULING_MAX = 29;
const TEST_FILE = /^(packages|apps|e2e|scripts|bench|simulation)\/\S+\.(test|spec)\.tsx?$/;
const NONE = "–";

/** @param {NamedTest} test */
function toKey({ file, title }) {
  return `${file}${SEPARATOR}${title}`;
}

/**
 * The rows of the table, and a line for everything in it that is not as it has to be; a row with a fault is left out.
 * @param {string} markdown
 * @returns {Table}
 */
export function parseTable(markdown) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const faults = [];
  /** @type {Map<string, number>} */
  const lines = new Map();
  for (const [index, text] of markdown.split("\n").entries()) {
    const line = index + 1;
    // A row that lost its bar would otherwise be prose, and never be checked.
    if (!text.startsWith("|")) {
      if (/^\s*\|?\s*[A-Z]+-\d+\b/.test(text)) faults.push(`line ${line}: a row has to begin with "| "`);
      continue;
    }
    const cells = splitRow(text);
    if (isFrame(cells)) continue;
    const id = cells[0] ?? "";
    const rowFaults = [...findCellFaults(cells)];
    const earlier = lines.get(id);
    if (earlier !== undefined) rowFaults.push(`${id} is on line ${earlier} already`);
    lines.set(id, line);
    faults.push(...rowFaults.map((fault) => `line ${line}: ${fault}`));
    if (rowFaults.length === 0) rows.push({ id, line, tests: parseTests(cells[4] ?? "").tests });
  }
  return { rows, faults };
}

/** @param {string} text */
function splitRow(text) {
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return cells.slice(1, cells.at(-1) === "" ? -1 : undefined);
}

/**
 * The header of a table and the line below it.
 * @param {readonly string[]} cells
 */
function isFrame(cells) {
  return (
    cells.join("|") === HEADER.join("|") || (cells.length === HEADER.length && cells.every((cell) => /^-+$/.test(cell)))
  );
}

/** @param {readonly string[]} cells */
function* findCellFaults(cells) {
  if (cells.length !== HEADER.length) {
    yield `${cells.length} cells where ${HEADER.length} belong (${HEADER.join(", ")}); a bar inside a cell is written \\|`;
    return;
  }
  const [id = "", observed = "", spec = "", ruling = "", shownBy = ""] = cells;
  if (!ID.test(id)) yield `"${id}" is no id such as HOME-07`;
  if (!/^\S.{10,}[.!?'’”]$/.test(observed)) yield "what can be observed is not a sentence";
  if (!isNumberList(spec, SECTION_MAX)) yield `"${spec}" names no section of the specification`;
  if (ruling !== NONE && !isNumberList(ruling, RULING_MAX))
    yield `"${ruling}" names no ruling (${NONE} where there is none)`;
  yield* parseTests(shownBy).faults;
}

/**
 * @param {string} text such as "2, 5"
 * @param {number} max
 */
function isNumberList(text, max) {
  return text.split(", ").every((part) => /^[1-9]\d?$/.test(part) && Number(part) <= max);
}

/**
 * @param {string} cell tests between backticks, one under the other
 * @returns {{ readonly tests: readonly NamedTest[], readonly faults: readonly string[] }}
 */
function parseTests(cell) {
  if (cell === "") return { tests: [], faults: ["no test is named"] };
  const parsed = cell.split("<br>").map((part) => {
    const name = /^`([^`]+)`$/.exec(part.trim())?.[1];
    if (name === undefined) return `"${part.trim()}" is not a test between backticks`;
    const [file = "", ...titles] = name.split(SEPARATOR);
    if (!TEST_FILE.test(file)) return `"${file}" is no file of tests`;
    if (titles.length === 0 || titles.some((title) => title.trim() === ""))
      return `"${name}" names no test of its file`;
    return { file, title: titles.join(SEPARATOR) };
  });
  return {
    tests: parsed.filter((test) => typeof test !== "string"),
    faults: parsed.filter((test) => typeof test === "string"),
  };
}

/**
 * @param {any} report Vitest's, as JSON
 * @param {(file: string) => string} toRelative from the root of the repository, with slashes
 * @returns {Report}
 */
export function readUnitReport(report, toRelative) {
  /** @type {Map<string, boolean[]>} */
  const outcomes = new Map();
  for (const { name, assertionResults } of report.testResults) {
    for (const { ancestorTitles, title, status } of assertionResults) {
      add(outcomes, { file: toRelative(name), title: [...ancestorTitles, title].join(SEPARATOR) }, status === "passed");
    }
  }
  return { startedAt: report.startTime, outcomes };
}

/**
 * @param {any} report Playwright's, as JSON
 * @param {(file: string) => string} toRelative
 * @returns {Report}
 */
export function readBrowserReport(report, toRelative) {
  /** @type {Map<string, boolean[]>} */
  const outcomes = new Map();
  /**
   * @param {any} suite
   * @param {readonly string[]} titles
   */
  function visit({ specs = [], suites = [] }, titles) {
    for (const { file, title, tests } of specs) {
      // "expected" is also what a skipped test is called by one that expects to be skipped.
      const hasPassed =
        tests.length > 0 &&
        tests.every(
          (/** @type {any} */ test) => test.status === "expected" && test.results.at(-1)?.status === "passed",
        );
      add(
        outcomes,
        { file: toRelative(`${report.config.rootDir}/${file}`), title: [...titles, title].join(SEPARATOR) },
        hasPassed,
      );
    }
    for (const inner of suites) visit(inner, [...titles, inner.title]);
  }
  for (const suite of report.suites) visit(suite, []);
  return { startedAt: Date.parse(report.stats.startTime), outcomes };
}

/**
 * @param {Map<string, boolean[]>} outcomes
 * @param {NamedTest} test
 * @param {boolean} hasPassed
 */
function add(outcomes, test, hasPassed) {
  const key = toKey(test);
  outcomes.set(key, [...(outcomes.get(key) ?? []), hasPassed]);
}

/**
 * A line for every test of the table that did not pass in the last run, and one for every report or file of which that run cannot tell.
 * @param {readonly Row[]} rows
 * @param {Readonly<Record<"unit" | "browser", Report | null>>} reports null where there is none
 * @param {(file: string) => number | null} toModifiedAt when a file last changed, in milliseconds since 1970; null where it is gone
 * @returns {readonly string[]}
 */
export function findUnshown(rows, reports, toModifiedAt) {
  /** @type {Set<string>} */
  const faults = new Set();
  for (const { id, tests } of rows) {
    for (const test of tests) {
      const kind = test.file.startsWith("e2e/") ? "browser" : "unit";
      const report = reports[kind];
      const modifiedAt = toModifiedAt(test.file);
      if (report === null) faults.add(`there is no report of the ${kind} tests: run npm test`);
      else if (modifiedAt === null) faults.add(`${test.file} does not exist`);
      else if (modifiedAt > report.startedAt)
        faults.add(`${test.file} has changed since the last run: run npm test again`);
      else {
        const fault = findFault(report.outcomes.get(toKey(test)));
        if (fault !== null) faults.add(`${id}: \`${toKey(test)}\` ${fault}`);
      }
    }
  }
  return [...faults];
}

/** @param {readonly boolean[] | undefined} passed whether each test of a title passed */
function findFault(passed) {
  if (passed === undefined) return "is no test of the last run";
  if (passed.length > 1) return "is the title of more than one test";
  return passed[0] ? null : "did not pass";
}
