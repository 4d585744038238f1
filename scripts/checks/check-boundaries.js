/**
 * `node scripts/checks/check-boundaries.js [root [minimum of modules]]`: checks all imports against
 * `.dependency-cruiser.js`. Exits 1 on a forbidden import, and if it read too few modules.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import process from "node:process";
import boundaries from "../../.dependency-cruiser.js";

/** dependency-cruiser cannot read TypeScript 7: its `typescript` resolves to version 5. */
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
/** Far below the real number, far above what a wrong folder or an unread language yields. */
const modulesMin = Number(modulesMinText ?? 150);

const { output } = await cruise(
  FOLDERS.filter((folder) => existsSync(folder)),
  { ...boundaries.options, ruleSet: { forbidden: boundaries.forbidden }, validate: true },
  { exportsFields: ["exports"], conditionNames: ["import", "types", "node", "default"] },
);
if (typeof output === "string") throw new Error("dependency-cruiser returned text instead of a result");

const { violations, totalCruised, totalDependenciesCruised = 0 } = output.summary;
for (const { rule, from, to } of violations) process.stdout.write(`${rule.name}: ${from} -> ${to}\n`);

const sawTooLittle = totalCruised < modulesMin || totalDependenciesCruised < modulesMin;
if (sawTooLittle) process.stdout.write("too few modules were read for a result\n");
process.stdout.write(
  `boundaries: ${violations.length} forbidden ${violations.length === 1 ? "import" : "imports"} in ${totalCruised} modules and ${totalDependenciesCruised} dependencies\n`,
);
process.exitCode = violations.length > 0 || sawTooLittle ? 1 : 0;
