import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";

const README = readFileSync(path.join(import.meta.dirname, "README.md"), "utf8");

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))("the planted bug applies: %s", (_, mutant) => {
  const source = readFileSync(path.resolve(import.meta.dirname, "..", mutant.file), "utf8");
  expect(source.split(mutant.find)).toHaveLength(2);
  expect(mutant.replace).not.toBe(mutant.find);
});

test("README.md names the expected finding of each planted bug", () => {
  const rows = README.split("\n").map((line) => line.replaceAll("`", "").split("|"));
  const found = new Map(rows.map(([, name = "", finding = ""]) => [name.trim(), finding]));
  const unnamed = MUTANTS.filter(({ name, expects }) => !expects.test(found.get(name) ?? ""));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});
