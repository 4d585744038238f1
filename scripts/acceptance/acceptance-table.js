/** Reads what tests say about themselves, and the test runners' reports. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * @typedef {object} Row what can be observed
 * @property {string} id such as HOME-07
 * @property {string} sentence
 * @property {string} sections of the specification, such as "4, 9"; empty where there is none
 * @property {string} rulings
 *
 * @typedef {object} Tests
 * @property {readonly Row[]} rows in the order of their ids
 * @property {ReadonlyMap<string, readonly string[]>} files with a test that shows it, by id
 * @property {readonly string[]} faults
 *
 * @typedef {ReadonlyMap<string, readonly boolean[]>} Report pass or fail of tests, by `toKey`
 */

/** Each group of ids, in the order of the specification. */
const GROUPS = {
  WHAT: "What the product does and for whom",
  SITE: "The site as a whole",
  APP: "The native apps",
  HEAD: "Header and footer",
  HOME: "Home",
  LOGIN: "Login",
  REG: "Registration",
  FORGOT: "Forgotten passwords",
  MATCH: "Matches",
  CREATE: "Create Match",
  PROF: "Profile",
  LEAD: "Leaderboard",
  RATE: "Ratings and opponents",
  GAME: "Game",
  WALL: "Wallet",
  ADMIN: "Administration",
  CONT: "Contact",
  TEXT: "Pages of text",
  ENT: "Entities and their fields",
  STATE: "The game's status",
  TURN: "Turns",
  FLOW: "Creating a game",
  CLOCK: "Clocks",
  CHESS: "Chess",
  DRAUGHT: "Checkers",
  PRAC: "Practice",
  FREE: "Free games",
  WATCH: "Watching games, and their links",
  REVIEW: "Review",
  OFFER: "Offers",
  TRAN: "Transactions",
  PRES: "Presence",
  PUSH: "Notices to closed browsers",
  CHAT: "Chat",
  VALID: "Validation rules",
  ROLE: "Roles and permissions",
  FAIR: "Fair play",
  CALL: "Calls",
  ERR: "Errors",
  CONST: "Business constants and limits",
  OPS: "Running it",
  FAULT: "Faults",
  SEC: "Security",
  SERVERS: "Several servers",
};
const ORDER = Object.keys(GROUPS);
const TEST_FILE = /\.(test|spec)\.tsx?$/;
const MARK = String.raw`\[([A-Z]+-\d\d) §(-|[\d,]+)(?: r([\d,]+))?\]`;
/** A sentence in a title, and one in a line above a test. */
const IN_TITLE = new RegExp(String.raw`"((?:[^"\\]|\\.)+) ${MARK}`, "g");
const ABOVE = new RegExp(String.raw`^\s*// ${MARK} (.+)$`);
const CONTINUED = /^\s*\/\/ (?!\[)(.+)$/;
const TAG = /\[([A-Z]+-\d\d\w?(?: [^\]"`]*)?)\]/g;
const ID = /[A-Z]+-\d\d\w?/g;

/**
 * Every test file below these folders.
 * @param {readonly string[]} folders
 * @returns {readonly string[]}
 */
export function listTestFiles(folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name !== "node_modules" && !name.startsWith("."))
      .flatMap((entry) => {
        const inside = path.posix.join(folder, entry.name);
        if (entry.isDirectory()) return listTestFiles([inside]);
        return TEST_FILE.test(entry.name) ? [inside] : [];
      }),
  );
}

/**
 * @param {readonly string[]} files
 * @param {(file: string) => string} read
 * @returns {Tests}
 */
export function readTests(files, read = (file) => readFileSync(file, "utf8")) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /** @type {Map<string, string[]>} */
  const shown = new Map();
  /** @type {string[]} */
  const faults = [];
  for (const file of files) {
    const text = read(file);
    for (const row of readRows(text)) {
      if (rows.has(row.id)) faults.push(`${file}: ${row.id} has a sentence already`);
      if (!ORDER.includes(toGroup(row.id))) faults.push(`${file}: ${row.id} is of no group`);
      rows.set(row.id, row);
    }
    for (const id of readIds(text)) shown.set(id, [...(shown.get(id) ?? []), file]);
  }
  for (const [id, [file]] of shown) if (!rows.has(id)) faults.push(`${file}: ${id} has no sentence`);
  for (const { id } of rows.values()) if (!shown.has(id)) faults.push(`${id} is in no title`);
  return { rows: [...rows.values()].sort(compareRows), files: shown, faults };
}

/**
 * @param {string} text of a test file
 * @returns {readonly Row[]}
 */
function readRows(text) {
  /** @type {Row[]} */
  const rows = [];
  /** Whether a sentence may go on. */
  let isOpen = false;
  for (const line of text.split("\n")) {
    for (const [, sentence = "", ...mark] of line.matchAll(IN_TITLE)) rows.push(toRow(mark, sentence));
    const above = ABOVE.exec(line);
    const last = rows.at(-1);
    if (above !== null) rows.push(toRow(above.slice(1, -1), above.at(-1) ?? ""));
    isOpen = above !== null || (isOpen && CONTINUED.test(line));
    if (above === null && isOpen && last !== undefined) last.sentence += line.replace(CONTINUED, " $1");
  }
  return rows;
}

/**
 * @param {readonly string[]} mark
 * @param {string} sentence
 * @returns {Row}
 */
function toRow([id = "", sections = "", rulings = ""], sentence) {
  const list = (/** @type {string} */ numbers) => numbers.replace("-", "").replaceAll(",", ", ");
  return { id, sentence, sections: list(sections), rulings: list(rulings) };
}

/**
 * The ids in the titles of a test file.
 * @param {string} text
 */
function readIds(text) {
  const code = text.split("\n").filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line));
  return new Set(code.flatMap(findIds));
}

/**
 * @param {string} title
 * @returns {readonly string[]}
 */
function findIds(title) {
  return [...title.matchAll(TAG)].flatMap(([, tag = ""]) => tag.match(ID) ?? []);
}

/** @param {string} id */
function toGroup(id) {
  return id.slice(0, id.indexOf("-"));
}

/**
 * @param {Row} a
 * @param {Row} b
 */
function compareRows(a, b) {
  return ORDER.indexOf(toGroup(a.id)) - ORDER.indexOf(toGroup(b.id)) || (a.id < b.id ? -1 : 1);
}

/**
 * The tables, a section per group of ids.
 * @param {Tests} tests
 */
export function formatTable({ rows, files }) {
  /** @type {string[]} */
  const lines = [];
  let group = "";
  for (const { id, sentence, sections, rulings } of rows) {
    if (toGroup(id) !== group) {
      group = toGroup(id);
      lines.push("", `## ${GROUPS[/** @type {keyof typeof GROUPS} */ (group)]}`, "");
      lines.push("| id | what can be observed | spec | ruling | shown in |", "|---|---|---|---|---|");
    }
    const end = /[.!?]'?$/.test(sentence) ? "" : ".";
    const cells = [id, `${sentence}${end}`, sections || "–", rulings || "–", (files.get(id) ?? []).join("<br>")];
    lines.push(`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}

/** @param {{ readonly file: string, readonly id: string }} test */
function toKey({ file, id }) {
  return `${file} ${id}`;
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
  return outcomes;
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
  return outcomes;
}

/**
 * @param {Map<string, boolean[]>} outcomes
 * @param {string} file
 * @param {string} title
 * @param {boolean} hasPassed
 */
function add(outcomes, file, title, hasPassed) {
  for (const id of findIds(title)) {
    const key = toKey({ file, id });
    outcomes.set(key, [...(outcomes.get(key) ?? []), hasPassed]);
  }
}

/**
 * One line for each file whose tests of an id did not all pass, or did not run.
 * @param {Tests} tests
 * @param {readonly Report[]} reports
 * @returns {readonly string[]}
 */
export function findUncovered({ rows, files }, reports) {
  return rows.flatMap(({ id }) =>
    (files.get(id) ?? []).flatMap((file) => {
      const passed = reports.flatMap((report) => report.get(toKey({ file, id })) ?? []);
      if (passed.length === 0) return [`${id} of ${file} did not run`];
      return passed.every(Boolean) ? [] : [`${id} of ${file} did not pass`];
    }),
  );
}
