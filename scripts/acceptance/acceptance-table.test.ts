import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findUncovered, parseFaultTable, parseTable, readBrowserReport, readUnitReport } from "./acceptance-table.js";

const HEAD = "| id | what can be observed | spec | ruling | shown by |\n|---|---|---|---|---|";
const UNIT = "apps/web/src/shared/money/naira.test.ts [HOME-01]";
const BROWSER = "e2e/site/visitor.spec.ts [SITE-03b]";
const ROW = `| HOME-01 | The rate is shown to everyone. | 2, 9 | – | \`${UNIT}\` |`;
/** When both runs of the reports below started. */
const STARTED_AT = Date.UTC(2026, 10, 21, 21);

function parse(...lines: readonly string[]) {
  return parseTable(["# Acceptance", "", HEAD, ...lines, "", "Some prose."].join("\n"));
}

function toRelative(file: string): string {
  return file.replace("/repository/", "");
}

describe("a table", () => {
  it("is parsed into rows with id, line and tests", () => {
    const { rows, faults } = parse(
      ROW,
      `| HOME-02 | No game \\| no page. | 2 | 4, 11 | \`${UNIT}\`<br>\`${BROWSER}\` |`,
    );
    expect(faults).toEqual([]);
    expect(rows).toEqual([
      {
        id: "HOME-01",
        line: 5,
        tests: [{ file: "apps/web/src/shared/money/naira.test.ts", id: "HOME-01" }],
      },
      {
        id: "HOME-02",
        line: 6,
        tests: [
          { file: "apps/web/src/shared/money/naira.test.ts", id: "HOME-01" },
          { file: "e2e/site/visitor.spec.ts", id: "SITE-03b" },
        ],
      },
    ]);
  });

  it.each([
    ["a cell is missing", ROW.replace(" | – ", ""), "4 cells instead of 5"],
    ["a cell contains a bar", ROW.replace("shown", "sh|own"), "6 cells instead of 5"],
    ["the id is malformed", ROW.replace("HOME-01", "Home 1"), '"Home 1" is not an id'],
    ["the text is empty", ROW.replace("The rate is shown to everyone.", ""), "is not a sentence"],
    ["the text has no full stop", ROW.replace("everyone.", "everyone"), "is not a sentence"],
    ["no section is named", ROW.replace("2, 9", ""), '"" names no section'],
    ["the section does not exist", ROW.replace("2, 9", "2, 10"), '"2, 10" names no section'],
    ["the ruling does not exist", ROW.replace("–", "61"), '"61" names no ruling'],
    ["a ruling is left blank", ROW.replace("–", " "), '"" names no ruling'],
    ["no test is named", ROW.replace(`\`${UNIT}\``, ""), "no test is named"],
    ["a test has no backticks", ROW.replaceAll("`", ""), "is not a test in backticks"],
    ["the file is not a test", ROW.replace("naira.test.ts", "naira.ts"), "is not a test file"],
    ["the file is outside the repository", ROW.replace("apps/web", "/tmp"), "is not a test file"],
    ["only the file is named", ROW.replace(/ \[.*`/, "`"), "is not a file and a test id"],
    ["a title is named", ROW.replace("[HOME-01]", "says the rate"), "is not a file and a test id"],
    ["the row has lost its bar", ROW.slice(2), "a row must begin with"],
    ["the row is indented", `  ${ROW}`, "a row must begin with"],
  ])("reports a fault if %s, and leaves the row out", (_, row, fault) => {
    const { rows, faults } = parse(row);
    expect(rows).toEqual([]);
    expect(faults).toEqual([expect.stringMatching(/^line 5: /)]);
    expect(faults[0]).toContain(fault);
  });

  it.each([
    ["docs/acceptance.md", parseTable],
    ["docs/operations/faults.md", parseFaultTable],
  ] as const)("in %s is well formed, and references files that exist", (page, parsePage) => {
    const { rows, faults } = parsePage(readFileSync(page, "utf8"));
    expect(faults).toEqual([]);
    const files = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)));
    expect([...files].filter((file) => !existsSync(file))).toEqual([]);
  });

  it("of faults needs a test of each fault", () => {
    const head = "| fault | players | log and metrics | by itself | shown by |\n|---|---|---|---|---|";
    const rows = [
      `| no disk | wait | \`not ready\` | yes | \`${UNIT}\` |`,
      "| no light | wait | nothing | yes | `npm test` |",
    ];
    expect(parseFaultTable([head, ...rows].join("\n"))).toEqual({
      rows: [
        { id: "no disk", line: 3, tests: [{ file: "apps/web/src/shared/money/naira.test.ts", id: "HOME-01" }] },
        { id: "no light", line: 4, tests: [] },
      ],
      faults: ['line 4: "npm test" is not a file and a test id such as [HOME-07]'],
    });
  });

  it("reports an id that occurs twice, with the line of the first", () => {
    const { rows, faults } = parse(ROW, ROW);
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["line 6: HOME-01 is already on line 5"]);
  });
});

const unitReport = readUnitReport(
  {
    startTime: STARTED_AT,
    testResults: [
      {
        name: "/repository/apps/web/src/shared/money/naira.test.ts",
        assertionResults: [
          { ancestorTitles: ["naira"], title: "shows the rate of a holocoin [HOME-01]", status: "passed" },
          { ancestorTitles: ["naira"], title: "rounds up [HOME-02]", status: "failed" },
          { ancestorTitles: ["naira"], title: "is skipped [HOME-03]", status: "skipped" },
          { ancestorTitles: ["naira"], title: "formats 1 [HOME-04]", status: "passed" },
          { ancestorTitles: ["naira"], title: "formats 2 [HOME-04]", status: "passed" },
          { ancestorTitles: ["naira"], title: "parses 1 [HOME-05]", status: "passed" },
          { ancestorTitles: ["naira"], title: "parses 2 [HOME-05]", status: "failed" },
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
        title: "site/visitor.spec.ts",
        specs: [
          toSpec("an unknown game [SITE-03b]", "expected", "passed"),
          toSpec("late [SITE-04]", "flaky", "passed"),
        ],
        suites: [{ title: "a group", specs: [toSpec("left out [SITE-05]", "skipped", "skipped")] }],
      },
    ],
  },
  toRelative,
);

function toSpec(title: string, status: string, last: string) {
  return { file: "site/visitor.spec.ts", title, tests: [{ status, results: [{ status: last }] }] };
}

/** The faults of a row that references these tests. */
function check(
  tests: readonly string[],
  given: Partial<Parameters<typeof findUncovered>[1]> = {},
  modifiedAt: number | null = 0,
) {
  const { rows, faults } = parse(
    `| A-01 | What there is to see. | 2 | – | ${tests.map((test) => `\`${test}\``).join("<br>")} |`,
  );
  expect(faults).toEqual([]);
  return findUncovered(rows, { unit: unitReport, browser: browserReport, ...given }, () => modifiedAt);
}

describe("a row", () => {
  it("is covered if every referenced test passed in the last run", () => {
    expect(check([UNIT, BROWSER, "apps/web/src/shared/money/naira.test.ts [HOME-04]"])).toEqual([]);
  });

  it.each([
    ["failed", "apps/web/src/shared/money/naira.test.ts [HOME-02]", "did not pass"],
    ["was skipped", "apps/web/src/shared/money/naira.test.ts [HOME-03]", "did not pass"],
    ["failed for one of its inputs", "apps/web/src/shared/money/naira.test.ts [HOME-05]", "did not pass"],
    ["passed only when retried", "e2e/site/visitor.spec.ts [SITE-04]", "did not pass"],
    ["was skipped in the browser", "e2e/site/visitor.spec.ts [SITE-05]", "did not pass"],
    ["did not run", "e2e/site/visitor.spec.ts [SITE-06]", "did not run"],
  ])("is not covered by a test that %s", (_, test, fault) => {
    expect(check([UNIT, test])).toEqual([`A-01: \`${test}\` ${fault}`]);
  });

  it("is not covered by a file that is missing or changed after the run, each reported once", () => {
    expect(check([UNIT, UNIT], {}, null)).toEqual(["apps/web/src/shared/money/naira.test.ts does not exist"]);
    expect(check([UNIT], {}, STARTED_AT)).toEqual([]);
    expect(check([UNIT, BROWSER, UNIT], {}, STARTED_AT + 1)).toEqual([
      "apps/web/src/shared/money/naira.test.ts has changed since the last run: run npm test again",
      "e2e/site/visitor.spec.ts has changed since the last run: run npm test again",
    ]);
  });

  it("is not covered if a run left no report, which is reported once", () => {
    expect(check([BROWSER, BROWSER, UNIT], { browser: null })).toEqual([
      "no report of the browser tests: run npm test",
    ]);
  });
});
