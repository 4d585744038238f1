import { execFileSync, spawn } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import prepareData from "../e2e/support/prepared-data.ts";
import { MUTANTS, type Mutant } from "./mutants.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDERS = ["apps", "packages", "e2e", "simulation", "scripts"];
const FILES = ["package.json", "tsconfig.json", "vitest.config.ts"];
const SCOPE = "@holo";
const SEED = 11;
/** Of virtual runs, whose faults depend on the seed. */
const SEEDS = 5;
const PLAYERS = 10;
const GAMES = 40;
/** Of virtual runs, for each of their seeds. */
const VIRTUAL_GAMES = 10;
const TIMEOUT_MS = 240_000;

/**
 * Runs for each planted bug the cheapest that can notice it: a test, virtual runs, or a campaign.
 * Returns the bugs without the finding that names them.
 */
export async function runMutants(only: string | undefined, seed = SEED): Promise<readonly string[]> {
  const copy = copySources();
  const mutants = MUTANTS.filter(({ name }) => only === undefined || new RegExp(only).test(name));
  const forgetData = mutants.some(({ faults }) => faults !== undefined) ? await prepareData() : () => undefined;
  const missed: string[] = [];
  try {
    for (const mutant of mutants) {
      plant(copy, mutant);
      const startedMs = performance.now();
      const output = await run(copy, mutant, seed);
      cpSync(path.join(ROOT, mutant.file), path.join(copy, mutant.file));
      const all = output.split("\n").filter((line) => line.startsWith("WRONG: "));
      const named = all.find((line) => mutant.expects === undefined || mutant.expects.test(line));
      // A run that ended otherwise, such as with a server that did not start, proves nothing.
      const isComplete = /^seed \d+: |Tests .*passed/m.test(output);
      const nothing = isComplete ? "nothing noticed" : `BROKEN RUN: ${output.slice(-300)}`;
      const other = all[0] === undefined ? nothing : `caught by something else: ${all[0].slice(0, 160)}`;
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      process.stdout.write(`${seconds} s  ${mutant.name}: ${named?.slice(0, 160) ?? other}\n`);
      if (named === undefined) missed.push(mutant.name);
    }
  } finally {
    forgetData();
    rmSync(copy, { recursive: true, force: true });
  }
  return missed;
}

/** A tree with its own packages and the project's libraries. */
function copySources(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "holo-mutants-"));
  const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...FOLDERS, ...FILES], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const file of tracked.trim().split("\n")) cpSync(path.join(ROOT, file), path.join(copy, file));
  const modules = path.join(ROOT, "node_modules");
  execFileSync("mkdir", ["-p", path.join(copy, "node_modules")]);
  for (const name of execFileSync("ls", ["-A", modules], { encoding: "utf8" }).trim().split("\n"))
    if (name !== SCOPE) symlinkSync(path.join(modules, name), path.join(copy, "node_modules", name));
  for (const nested of globSync("{apps,packages}/*/node_modules", { cwd: ROOT }))
    symlinkSync(path.join(ROOT, nested), path.join(copy, nested));
  execFileSync("cp", ["-a", path.join(modules, SCOPE), path.join(copy, "node_modules")]);
  return copy;
}

function plant(copy: string, { file, find, replace }: Mutant): void {
  const source = readFileSync(path.join(copy, file), "utf8");
  writeFileSync(
    path.join(copy, file),
    source.replace(find, () => replace),
  );
}

function toCommand(copy: string, { test, faults, games, servers = 1 }: Mutant, seed: number): readonly unknown[] {
  if (test !== undefined) return [path.join(copy, "node_modules", "vitest", "vitest.mjs"), "run", test];
  const simulation = path.join(copy, "simulation", "simulate.ts");
  const common = [simulation, "--hasty", "--players", PLAYERS, "--servers", servers];
  if (faults !== undefined)
    return [...common, "--seed", seed, "--games", games ?? GAMES, "--payers", 0, "--faults", faults.join()];
  const seeds = `${seed}-${seed + SEEDS - 1}`;
  return [...common, "--repeatable", "--seeds", seeds, "--games", games ?? VIRTUAL_GAMES];
}

async function run(copy: string, mutant: Mutant, seed: number): Promise<string> {
  const child = spawn(process.execPath, toCommand(copy, mutant, seed).map(String), {
    cwd: copy,
    // All servers of all runs compile nearly the same sources.
    env: { ...process.env, NODE_COMPILE_CACHE: path.join(copy, ".compiled") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
  const timer = setTimeout(() => child.kill("SIGTERM"), TIMEOUT_MS);
  await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  // A test that fails is the finding.
  return stripVTControlCharacters(output).replace(/^ *FAIL +/gm, "WRONG: ");
}
