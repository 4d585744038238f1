/**
 * Checks that the table of docs/configuration.md is that of the schema; `--write` makes it. Exits 1
 * on a difference.
 */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { listVariables } from "../../apps/server/src/config/variables.ts";

const FILE = "docs/configuration.md";
const PLACE = /(?<=<!-- variables -->\n).*(?=<!-- end of variables -->)/s;

const rows = listVariables().map(
  ({ name, standIn, isRequired, meaning }) =>
    `| \`${name}\` | ${isRequired ? "yes" : ""} | ${standIn} | ${meaning} |\n`,
);
const table = `
| variable | required in production | otherwise | meaning |
|---|---|---|---|
${rows.join("")}
`;
const page = readFileSync(FILE, "utf8");
const made = page.replace(PLACE, () => table);
if (process.argv.includes("--write")) writeFileSync(FILE, made);
else if (made !== page) {
  process.stdout.write(`${FILE} differs from apps/server/src/config/variables.ts: run this with --write\n`);
  process.exitCode = 1;
}
