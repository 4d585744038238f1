/**
 * Checks the imports of every room against `.dependency-cruiser.js`: `node scripts/check-boundaries.js [root [fewest modules]]`. Exits 1 and
 * names each forbidden import; exits 1 too where it saw too little to mean anything.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";
import boundaries from "../.dependency-cruiser.js";

/** dependency-cruiser cannot read TypeScript 7, so what it calls `typescript` is the older one kept beside it. */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const [name, ...rest] = specifier.split("/");
    return nextResolve(name === "typescript" ? ["typescript-5", ...rest].join("/") : specifier, context);
  },
});
const { cruise } = await import("dependency-cruiser");

const FOLDERS = ["packages", "apps", "e2e", "bench", "simulation", "scripts"];

const [root = ".", modulesMinText] = process.argv.slice(2);
process.chdir(root);
/** By default far below what there is, and far above what a wrong folder or an unread language would leave. */
const modulesMin = Number(modulesMinText ?? 150);

const { output } = await cruise(
  FOLDERS.filter((folder) => existsSync(folder)),
  { ...boundaries.options, ruleSet: { forbidden: boundaries.forbidden }, validate: true },
  { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
);
if (typeof output === "string") throw new Error("dependency-cruiser gave text where a result was expected");

const { violations, totalCruised, totalDependenciesCruised = 0 } = output.summary;
for (const { rule, from, to } of violations) process.stdout.write(`${rule.name}: ${from} -> ${to}\n`);

const sawTooLittle = totalCruised < modulesMin || totalDependenciesCruised < modulesMin;
if (sawTooLittle) process.stdout.write("too little was read for this to mean anything\n");
process.stdout.write(
  `boundaries: ${violations.length} forbidden imports in ${totalCruised} modules and ${totalDependenciesCruised} dependencies\n`,
);
process.exitCode = violations.length > 0 || sawTooLittle ? 1 : 0;
