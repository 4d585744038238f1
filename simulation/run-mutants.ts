import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { MUTANTS, type Mutant } from "./mutants.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDERS = ["apps", "packages", "e2e", "simulation", "scripts"];
const FILES = ["package.json", "tsconfig.json"];
/** One run notices a bug within this time, or misses it. */
const TIMEOUT_MS = 240_000;
const SCOPE = "@holo";

/** Runs the simulation once per planted bug. Returns the names of those that it did not notice. */
export function runMutants(options: readonly string[], only: string | undefined): readonly string[] {
  const copy = copySources();
  try {
    const mutants = MUTANTS.filter(({ name }) => only === undefined || name.includes(only));
    return mutants.filter((mutant) => !isNoticed(copy, mutant, options)).map(({ name }) => name);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** A tree whose packages are its own and whose libraries are the project's. */
function copySources(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "holo-mutants-"));
  const tracked = execFileSync("git", ["ls-files", ...FOLDERS, ...FILES], { cwd: ROOT, encoding: "utf8" });
  for (const file of tracked.trim().split("\n")) cpSync(path.join(ROOT, file), path.join(copy, file));
  for (const folder of ["apps/web/dist"]) cpSync(path.join(ROOT, folder), path.join(copy, folder), { recursive: true });
  const modules = path.join(ROOT, "node_modules");
  execFileSync("mkdir", ["-p", path.join(copy, "node_modules")]);
  for (const name of execFileSync("ls", ["-A", modules], { encoding: "utf8" }).trim().split("\n"))
    if (name !== SCOPE) symlinkSync(path.join(modules, name), path.join(copy, "node_modules", name));
  // Links between packages are relative, so that they lead into the copy.
  execFileSync("cp", ["-a", path.join(modules, SCOPE), path.join(copy, "node_modules")]);
  return copy;
}

function isNoticed(copy: string, { name, file, find, replace }: Mutant, options: readonly string[]): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, "utf8");
  writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  const startedMs = performance.now();
  const args = [path.join(copy, "simulation", "simulate.ts"), ...options];
  const run = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", timeout: TIMEOUT_MS });
  writeFileSync(target, source);
  const reason =
    run.stdout.split("\n").find((line) => line.startsWith("WRONG: ")) ??
    run.stderr.split("\n").find((line) => /Error/.test(line)) ??
    "it did not end";
  const text = run.status === 0 ? "MISSED" : `noticed: ${reason.slice(0, 120)}`;
  process.stdout.write(`${Math.round((performance.now() - startedMs) / 1_000)} s  ${name}: ${text}\n`);
  return run.status !== 0;
}
