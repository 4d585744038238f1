import { expect, test } from "vitest";
import { formatCsvLine, formatCsvText } from "./csv.ts";

test.each([
  ["debt_repayment", "debt_repayment"],
  ["", ""],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-holo", "'-holo"],
  ["@sum(a1)", "'@sum(a1)"],
  ["\t=1", "'\t=1"],
  ['=hyperlink("x","y")', `"'=hyperlink(""x"",""y"")"`],
])("the text %j is the cell %j", (text, cell) => {
  expect(formatCsvText(text)).toBe(cell);
});

test("cells make a line", () => {
  expect(formatCsvLine(["a", "-1.000000", ""])).toBe("a,-1.000000,\r\n");
});
