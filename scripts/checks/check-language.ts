/**
 * `check-language.ts [file or folder ...]`: checks comments, documentation and test titles against
 * the writing rules of CONTRIBUTING.md. Prints `file:line: fault`, exits 1 on one.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { formatCount } from "../../apps/server/src/operations/format-count.ts";
import { findLanguageFaults } from "./language.ts";

const READ = /\.(?:tsx?|m?js|css|c|h|java|sh|md)$/;
const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "data", "test-results", "playwright-report"]);
/** The specification is quoted as it was received; a landed migration is never edited. */
const SKIPPED_FILES = /^docs\/specification\.md$|^apps\/server\/migrations\//;

function listFiles(place: string): readonly string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(place, entry.name);
    if (entry.isDirectory()) {
      return SKIPPED_FOLDERS.has(entry.name) || entry.name.startsWith(".") ? [] : listFiles(inside);
    }
    return READ.test(entry.name) ? [inside] : [];
  });
}

const places = process.argv.slice(2);
const files = (places.length === 0 ? ["."] : places)
  .flatMap(listFiles)
  .map((file) => path.relative(".", file).replaceAll(path.sep, "/"))
  .filter((file) => !SKIPPED_FILES.test(file));
let faults = 0;
for (const file of files) {
  for (const { line, text } of findLanguageFaults(file, readFileSync(file, "utf8"))) {
    faults += 1;
    process.stdout.write(`${file}:${line}: ${text}\n`);
  }
}
process.stdout.write(`language: ${formatCount(faults, "fault")} in ${formatCount(files.length, "file")}\n`);
process.exitCode = faults > 0 ? 1 : 0;
