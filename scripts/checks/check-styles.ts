/** Checks that styles are scoped: see `styles.ts`. Prints `file:line: fault`, exits 1 on one. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { formatCount } from "../../apps/server/src/operations/format-count.ts";
import { findSharedStyles } from "./styles.ts";

const ROOT = "apps/web/src";
/** The theme is for every page. */
const READ = /^(?!ui\/theme\/)(?!.*(?:\.test\.|testing\/)).*\.(?:tsx?|css)$/;

const names = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll(path.sep, "/"));
const read = names.filter((name) => READ.test(name)).map((name) => `${ROOT}/${name}`);
const faults = findSharedStyles(new Map(read.map((file) => [file, readFileSync(file, "utf8")])));
for (const { file, line, text } of faults) process.stdout.write(`${file}:${line}: ${text}\n`);
process.stdout.write(`styles: ${formatCount(faults.length, "fault")} in ${formatCount(read.length, "file")}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
