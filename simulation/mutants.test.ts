import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))("the planted bug applies: %s", (_, mutant) => {
  const source = readFileSync(path.resolve(import.meta.dirname, "..", mutant.file), "utf8");
  expect(source.split(mutant.find)).toHaveLength(2);
  expect(mutant.replace).not.toBe(mutant.find);
});
