/**
 * Checks comments and documentation against the writing rules of CONTRIBUTING.md that are broken
 * most often. Prints `file:line: fault`, exits 1 on one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

const READ = /\.(?:tsx?|m?js|css|sh|md)$/;
/** The specification is quoted as it was received. */
const SKIPPED = /^docs\/specification\.md$/;
const COMMENT = /^\s*(?:\/\/|\/?\*|# )/;
const WIDTH_MAX = 100;
const LINES_MAX = 2;

const SHAPES: readonly (readonly [shape: RegExp, advice: string])[] = [
  [/\b(?:for|of|to|by|with|from|than|where|until|but) who\b/i, "name the person: the player, the caller, the admin"],
  [/\b(?:stands|stood)\b(?!-)/i, "use a plain verb: is, remains, applies"],
  [/\b(?:no|some|any|every)body\b|\bwhoever\b/i, "name the person, or use: no one, someone, anyone"],
  [/\b(?:of|in) the house\b|\bthe house(?:'s)?\b/i, "use: the platform, staff, admins"],
  [/\b(?:anew|aught|naught|lest|ere|whence|thereof|henceforth|forthwith|nought)\b/i, "use a modern word"],
];

/** Without code and quotations. */
function toPlain(line: string): string {
  return line.replace(/`[^`]*`|"[^"]*"|“[^”]*”|\]\([^)]*\)/g, "");
}

function findFaults(file: string): readonly string[] {
  const isPage = file.endsWith(".md");
  // A comment of a test may be a row of docs/acceptance.md.
  const isFree = isPage || /\.(?:test|spec)\./.test(file);
  let [isFenced, length] = [false, 0];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (isPage && line.startsWith("```")) isFenced = !isFenced;
      const isRead = isPage ? !isFenced : COMMENT.test(line);
      const isText = isRead && /[a-z]/i.test(line) && !/^\W*@/.test(line);
      length = !isRead || /^\s*\/\*/.test(line) ? 0 : length;
      length += isText ? 1 : 0;
      const faults = isRead ? SHAPES.filter(([shape]) => shape.test(toPlain(line))).map(([, advice]) => advice) : [];
      if (!isFree && isRead && line.length > WIDTH_MAX && !/\S{80}/.test(line)) faults.push("a long comment line");
      if (!isFree && isText && length === LINES_MAX + 1) faults.push(`a comment of more than ${LINES_MAX} lines`);
      return faults.map((fault) => `${file}:${index + 1}: ${fault}\n`);
    });
}

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
const files = listed.split("\n").filter((file) => READ.test(file) && !SKIPPED.test(file) && existsSync(file));
const faults = files.flatMap(findFaults);
process.stdout.write(`${faults.join("")}language: ${faults.length} faults in ${files.length} files\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
