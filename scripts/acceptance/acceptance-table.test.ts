import { describe, expect, it } from "vitest";
import { findUncovered, formatTable, readBrowserReport, readTests, readUnitReport } from "./acceptance-table.js";

const UNIT = "apps/web/src/naira.test.ts";
const BROWSER = "e2e/site/visitor.spec.ts";

function read(texts: Readonly<Record<string, string>>) {
  return readTests(Object.keys(texts), (file) => texts[file] ?? "");
}

function toRelative(file: string): string {
  return file.replace("/repository/", "");
}

describe("a row", () => {
  it("is a title with its mark, or the lines above a test", () => {
    const tests = read({
      [UNIT]: `
it("The rate is shown to everyone [HOME-01 §2,9 r4,11]", () => {});
`,
      [BROWSER]: `
// A comment of its own.
// [WHAT-03 §-] One holocoin costs 306 naira
// unless the rate was changed.
// [HOME-02 §2] A press | leads home.
test("opens [HOME-02 WHAT-03] [HOME-01]", async () => {});
`,
    });
    expect(tests.faults).toEqual([]);
    expect(formatTable(tests)).toBe(`
## What the product does and for whom

| id | what can be observed | spec | ruling | shown in |
|---|---|---|---|---|
| WHAT-03 | One holocoin costs 306 naira unless the rate was changed. | – | – | ${BROWSER} |

## Home

| id | what can be observed | spec | ruling | shown in |
|---|---|---|---|---|
| HOME-01 | The rate is shown to everyone. | 2, 9 | 4, 11 | ${UNIT}<br>${BROWSER} |
| HOME-02 | A press \\| leads home. | 2 | – | ${BROWSER} |
`);
  });

  it.each([
    ["an id has two sentences", '"A [HOME-01 §2]"\n"B [HOME-01 §2]"', "HOME-01 has a sentence already"],
    ["an id is of an unknown group", '"A [HOUSE-01 §2]"', "HOUSE-01 is of no group"],
    ["a title names an id without a sentence", '"A [HOME-01]"', "HOME-01 has no sentence"],
    ["an id has a letter", '"A [HOME-01 §2]"\n"B [HOME-01b]"', "HOME-01b has no sentence"],
    ["a mark has no section", '"A [HOME-01 r4]"', "HOME-01 has no sentence"],
    ["no title names the id", "// [HOME-01 §2] A", "HOME-01 is in no title"],
  ])("is reported if %s", (_, text, fault) => {
    expect(read({ [UNIT]: text }).faults).toEqual([expect.stringContaining(fault)]);
  });
});

function toSpec(title: string, status: string, last: string) {
  return { file: "site/visitor.spec.ts", title, tests: [{ status, results: [{ status: last }] }] };
}

const reports = [
  readUnitReport(
    {
      testResults: [
        {
          name: `/repository/${UNIT}`,
          assertionResults: [
            { ancestorTitles: ["naira [HOME-06]"], title: "shows the rate [HOME-01 §2]", status: "passed" },
            { ancestorTitles: [], title: "rounds up [HOME-02]", status: "failed" },
            { ancestorTitles: [], title: "is skipped [HOME-03]", status: "skipped" },
            { ancestorTitles: [], title: "parses 1 [HOME-04 HOME-06]", status: "passed" },
            { ancestorTitles: [], title: "parses 2 [HOME-04]", status: "failed" },
          ],
        },
      ],
    },
    toRelative,
  ),
  readBrowserReport(
    {
      config: { rootDir: "/repository/e2e" },
      suites: [
        {
          title: "site/visitor.spec.ts",
          specs: [toSpec("a game [HOME-01]", "expected", "passed"), toSpec("late [HOME-02]", "flaky", "passed")],
          suites: [{ title: "a group", specs: [toSpec("left out [HOME-03]", "skipped", "skipped")] }],
        },
      ],
    },
    toRelative,
  ),
];

describe("an id", () => {
  it.each([
    ["passed in both runs", "HOME-01", UNIT, []],
    ["passed in the browser", "HOME-01", BROWSER, []],
    ["passed twice", "HOME-06", UNIT, []],
    ["failed", "HOME-02", UNIT, [`HOME-02 of ${UNIT} did not pass`]],
    ["was skipped", "HOME-03", UNIT, [`HOME-03 of ${UNIT} did not pass`]],
    ["failed for one of its inputs", "HOME-04", UNIT, [`HOME-04 of ${UNIT} did not pass`]],
    ["passed only when retried", "HOME-02", BROWSER, [`HOME-02 of ${BROWSER} did not pass`]],
    ["was skipped in the browser", "HOME-03", BROWSER, [`HOME-03 of ${BROWSER} did not pass`]],
    ["did not run", "HOME-05", UNIT, [`HOME-05 of ${UNIT} did not run`]],
  ])("whose test %s is covered only then", (_, id, file, faults) => {
    expect(findUncovered(read({ [file]: `"A [${id} §2]"` }), reports)).toEqual(faults);
  });
});
