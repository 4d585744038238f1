/** Parses docs/acceptance.md, docs/operations/faults.md and the test runners' reports. */

/**
 * @typedef {object} TestRef
 * @property {string} file path from the repository root
 * @property {string} id such as HOME-07b, which the title contains in brackets
 *
 * @typedef {object} Row
 * @property {string} id such as HOME-07
 * @property {number} line in docs/acceptance.md, from 1
 * @property {readonly TestRef[]} tests
 *
 * @typedef {{ readonly rows: readonly Row[], readonly faults: readonly string[] }} Table
 *
 * @typedef {object} Report one runner's last run
 * @property {number} startedAt milliseconds since 1970
 * @property {ReadonlyMap<string, readonly boolean[]>} outcomes pass or fail of tests with an id, by
 *   `toKey`; several for a test that runs once per row of a table
 */

const HEADER = ["id", "what can be observed", "spec", "ruling", "shown by"];
const ID = /^[A-Z]+-\d\d$/;
const TEST_ID = /\[([A-Z]+-\d\d[a-z]?)\]/g;
/** The highest section of docs/specification.md and the highest ruling of docs/rulings.md. */
const SECTION_MAX = 9;
const RULING_MAX = 60;
const TEST_FILE = /^(packages|apps|e2e|scripts|bench|simulation)\/\S+\.(test|spec)\.tsx?$/;
const NONE = "–";
const FAULT_CELLS = 5;

/** @param {TestRef} test */
function toKey({ file, id }) {
  return `${file} [${id}]`;
}

/**
 * Returns the valid rows, and one line per fault. A row with a fault is left out.
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
    // Otherwise a row that lost its leading bar would count as prose.
    if (!text.startsWith("|")) {
      if (/^\s*\|?\s*[A-Z]+-\d+\b/.test(text)) faults.push(`line ${line}: a row must begin with "| "`);
      continue;
    }
    const cells = splitRow(text);
    if (isFrame(cells)) continue;
    const id = cells[0] ?? "";
    const rowFaults = [...findCellFaults(cells)];
    const earlier = lines.get(id);
    if (earlier !== undefined) rowFaults.push(`${id} is already on line ${earlier}`);
    lines.set(id, line);
    faults.push(...rowFaults.map((fault) => `line ${line}: ${fault}`));
    if (rowFaults.length === 0) rows.push({ id, line, tests: parseTests(cells[4] ?? "").tests });
  }
  return { rows, faults };
}

/**
 * Parses docs/operations/faults.md: a row's id is its fault, its last cell the tests that show it.
 * @param {string} markdown
 * @returns {Table}
 */
export function parseFaultTable(markdown) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {string[]} */
  const faults = [];
  for (const [index, text] of markdown.split("\n").entries()) {
    const cells = splitRow(text);
    if (!text.startsWith("|") || cells[0] === "fault" || cells.every((cell) => /^-+$/.test(cell))) continue;
    const { tests, faults: wrong } = parseTests(cells[FAULT_CELLS - 1] ?? "");
    if (cells.length !== FAULT_CELLS) wrong.push(`${cells.length} cells instead of ${FAULT_CELLS}`);
    faults.push(...wrong.map((fault) => `line ${index + 1}: ${fault}`));
    rows.push({ id: cells[0] ?? "", line: index + 1, tests });
  }
  return { rows, faults };
}

/** @param {string} text */
function splitRow(text) {
  const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  return cells.slice(1, cells.at(-1) === "" ? -1 : undefined);
}

/**
 * Whether this is a table header or the rule below it.
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
    yield `${cells.length} cells instead of ${HEADER.length} (${HEADER.join(", ")}); write a bar inside a cell as \\|`;
    return;
  }
  const [id = "", observed = "", spec = "", ruling = "", shownBy = ""] = cells;
  if (!ID.test(id)) yield `"${id}" is not an id such as HOME-07`;
  if (!/^\S.{10,}[.!?'’”]$/.test(observed)) yield "what can be observed is not a sentence";
  if (spec !== NONE && !isNumberList(spec, SECTION_MAX)) yield `"${spec}" names no section of the specification`;
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
 * @param {string} cell test references in backticks, separated by <br>
 * @returns {{ readonly tests: readonly TestRef[], readonly faults: string[] }}
 */
function parseTests(cell) {
  if (cell === "") return { tests: [], faults: ["no test is named"] };
  const parsed = cell.split("<br>").map((part) => {
    const name = /^`([^`]+)`$/.exec(part.trim())?.[1];
    if (name === undefined) return `"${part.trim()}" is not a test in backticks`;
    const [, file = "", id = ""] = /^(\S+) \[([A-Z]+-\d\d[a-z]?)\]$/.exec(name) ?? [];
    if (id === "") return `"${name}" is not a file and a test id such as [HOME-07]`;
    if (!TEST_FILE.test(file)) return `"${file}" is not a test file`;
    return { file, id };
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
      add(outcomes, toRelative(name), [...ancestorTitles, title].join(" "), status === "passed");
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
      // Playwright also reports "expected" for a test that is skipped on purpose.
      const hasPassed =
        tests.length > 0 &&
        tests.every(
          (/** @type {any} */ test) => test.status === "expected" && test.results.at(-1)?.status === "passed",
        );
      add(outcomes, toRelative(`${report.config.rootDir}/${file}`), [...titles, title].join(" "), hasPassed);
    }
    for (const inner of suites) visit(inner, [...titles, inner.title]);
  }
  for (const suite of report.suites) visit(suite, []);
  return { startedAt: Date.parse(report.stats.startTime), outcomes };
}

/**
 * @param {Map<string, boolean[]>} outcomes
 * @param {string} file
 * @param {string} title
 * @param {boolean} hasPassed
 */
function add(outcomes, file, title, hasPassed) {
  for (const [, id = ""] of title.matchAll(TEST_ID)) {
    const key = toKey({ file, id });
    outcomes.set(key, [...(outcomes.get(key) ?? []), hasPassed]);
  }
}

/**
 * One line for every referenced test that did not pass in the last run, for every missing report
 * and for every file that is missing or newer than the run.
 * @param {readonly Row[]} rows
 * @param {Readonly<Record<"unit" | "browser", Report | null>>} reports null if there is none
 * @param {(file: string) => number | null} toModifiedAt milliseconds since 1970; null if missing
 * @returns {readonly string[]}
 */
export function findUncovered(rows, reports, toModifiedAt) {
  /** @type {Set<string>} */
  const faults = new Set();
  for (const { id, tests } of rows) {
    for (const test of tests) {
      const kind = test.file.startsWith("e2e/") ? "browser" : "unit";
      const report = reports[kind];
      const modifiedAt = toModifiedAt(test.file);
      if (report === null) faults.add(`no report of the ${kind} tests: run npm test`);
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

/** @param {readonly boolean[] | undefined} passed the outcomes of every test with one id */
function findFault(passed) {
  if (passed === undefined) return "did not run";
  return passed.every(Boolean) ? null : "did not pass";
}
