import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findUnshown, parseTable, readBrowserReport, readUnitReport } from "./acceptance-table.js";

const HEAD = "| id | what can be observed | spec | ruling | shown by |\n|---|---|---|---|---|";
const UNIT = "apps/web/src/ui/naira.test.ts › naira › say the rate of a holocoin";
const BROWSER = "e2e/visitor.spec.ts › an address of no game says so";
const ROW = `| HOME-01 | The rate is shown to everyone. | 2, 9 | – | \`${UNIT}\` |`;
/** When both runs of the reports below began. */
const STARTED_AT = Date.UTC(2026, 10, 21, 21);

function parse(...lines: readonly string[]) {
  return parseTable(["# Acceptance", "", HEAD, ...lines, "", "Some prose."].join("\n"));
}

function toRelative(file: string): string {
  return file.replace("/repository/", "");
}

describe("a table", () => {
  it("gives each row with its id, its line and its tests", () => {
    const { rows, faults } = parse(
      ROW,
      `| HOME-02 | No game \\| no page. | 2 | 4, 11 | \`${UNIT}\`<br>\`${BROWSER}\` |`,
    );
    expect(faults).toEqual([]);
    expect(rows).toEqual([
      {
        id: "HOME-01",
        line: 5,
        tests: [{ file: "apps/web/src/ui/naira.test.ts", title: "naira › say the rate of a holocoin" }],
      },
      {
        id: "HOME-02",
        line: 6,
        tests: [
          { file: "apps/web/src/ui/naira.test.ts", title: "naira › say the rate of a holocoin" },
          { file: "e2e/visitor.spec.ts", title: "an address of no game says so" },
        ],
      },
    ]);
  });

  it.each([
    ["a cell is missing", ROW.replace(" | – ", ""), "4 cells where 5 belong"],
    ["a bar stands inside a cell", ROW.replace("shown", "sh|own"), "6 cells where 5 belong"],
    ["the id is none", ROW.replace("HOME-01", "Home 1"), '"Home 1" is no id'],
    ["nothing is observed", ROW.replace("The rate is shown to everyone.", ""), "is not a sentence"],
    ["what is observed does not end", ROW.replace("everyone.", "everyone"), "is not a sentence"],
    ["no section is named", ROW.replace("2, 9", ""), '"" names no section'],
    ["a section is not there", ROW.replace("2, 9", "2, 10"), '"2, 10" names no section'],
    ["a ruling is not there", ROW.replace("–", "30"), '"30" names no ruling'],
    ["a ruling is left blank", ROW.replace("–", " "), '"" names no ruling'],
    ["no test is named", ROW.replace(`\`${UNIT}\``, ""), "no test is named"],
    ["a test stands without backticks", ROW.replaceAll("`", ""), "is not a test between backticks"],
    ["a file holds no tests", ROW.replace("naira.test.ts", "naira.ts"), "is no file of tests"],
    ["a file lies elsewhere", ROW.replace("apps/web", "/tmp"), "is no file of tests"],
    ["only the file is named", ROW.replace(/ › .*`/, "`"), "names no test of its file"],
    ["the row has lost its bar", ROW.slice(2), "a row has to begin with"],
    ["the row is indented", `  ${ROW}`, "a row has to begin with"],
  ])("has a fault where %s, and leaves the row out", (_, row, fault) => {
    const { rows, faults } = parse(row);
    expect(rows).toEqual([]);
    expect(faults).toEqual([expect.stringMatching(/^line 5: /)]);
    expect(faults[0]).toContain(fault);
  });

  it("of ours has nothing wrong in its form, and names files that are there", () => {
    const { rows, faults } = parseTable(readFileSync("docs/acceptance.md", "utf8"));
    expect(faults).toEqual([]);
    const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)));
    expect([...files].filter((file) => !existsSync(file))).toEqual([]);
  });

  it("has a fault where an id comes twice, with the line of the first", () => {
    const { rows, faults } = parse(ROW, ROW);
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["line 6: HOME-01 is on line 5 already"]);
  });
});

const unitReport = readUnitReport(
  {
    startTime: STARTED_AT,
    testResults: [
      {
        name: "/repository/apps/web/src/ui/naira.test.ts",
        assertionResults: [
          { ancestorTitles: ["naira"], title: "say the rate of a holocoin", status: "passed" },
          { ancestorTitles: ["naira"], title: "round up", status: "failed" },
          { ancestorTitles: ["naira"], title: "are left out", status: "skipped" },
          { ancestorTitles: [], title: "twice", status: "passed" },
          { ancestorTitles: [], title: "twice", status: "passed" },
        ],
      },
    ],
  },
  toRelative,
);
const browserReport = readBrowserReport(
  {
    config: { rootDir: "/repository/e2e" },
    stats: { startTime: new Date(STARTED_AT).toISOString() },
    suites: [
      {
        title: "visitor.spec.ts",
        specs: [toSpec("an address of no game says so", "expected", "passed"), toSpec("late", "flaky", "passed")],
        suites: [{ title: "a group", specs: [toSpec("left out", "skipped", "skipped")] }],
      },
    ],
  },
  toRelative,
);

function toSpec(title: string, status: string, last: string) {
  return { file: "visitor.spec.ts", title, tests: [{ status, results: [{ status: last }] }] };
}

/** What is said of a row that names these tests. */
function check(
  tests: readonly string[],
  given: Partial<Parameters<typeof findUnshown>[1]> = {},
  modifiedAt: number | null = 0,
) {
  const { rows, faults } = parse(
    `| A-01 | What there is to see. | 2 | – | ${tests.map((test) => `\`${test}\``).join("<br>")} |`,
  );
  expect(faults).toEqual([]);
  return findUnshown(rows, { unit: unitReport, browser: browserReport, ...given }, () => modifiedAt);
}

describe("what a table names", () => {
  it("is shown where each test passed in the last run", () => {
    expect(check([UNIT, BROWSER])).toEqual([]);
  });

  it.each([
    ["failed", "apps/web/src/ui/naira.test.ts › naira › round up", "did not pass"],
    ["was skipped", "apps/web/src/ui/naira.test.ts › naira › are left out", "did not pass"],
    ["passed at its second try only", "e2e/visitor.spec.ts › late", "did not pass"],
    ["was skipped in the browser", "e2e/visitor.spec.ts › a group › left out", "did not pass"],
    ["did not run", "e2e/visitor.spec.ts › another", "is no test of the last run"],
    ["lost its group", "apps/web/src/ui/naira.test.ts › say the rate of a holocoin", "is no test of the last run"],
    ["shares its title", "apps/web/src/ui/naira.test.ts › twice", "is the title of more than one test"],
  ])("is not shown by a test that %s", (_, test, fault) => {
    expect(check([UNIT, test])).toEqual([`A-01: \`${test}\` ${fault}`]);
  });

  it("is not shown by a file that is gone, or changed after the run, each said once", () => {
    expect(check([UNIT, UNIT], {}, null)).toEqual(["apps/web/src/ui/naira.test.ts does not exist"]);
    expect(check([UNIT], {}, STARTED_AT)).toEqual([]);
    expect(check([UNIT, BROWSER, UNIT], {}, STARTED_AT + 1)).toEqual([
      "apps/web/src/ui/naira.test.ts has changed since the last run: run npm test again",
      "e2e/visitor.spec.ts has changed since the last run: run npm test again",
    ]);
  });

  it("cannot be told where a run left no report, which is said once", () => {
    expect(check([BROWSER, BROWSER, UNIT], { browser: null })).toEqual([
      "there is no report of the browser tests: run npm test",
    ]);
  });
});
