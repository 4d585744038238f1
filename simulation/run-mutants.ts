import { execFileSync, spawn } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import prepareData from "../e2e/support/prepared-data.ts";
import { MUTANTS, type Mutant } from "./mutants.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDERS = ["apps", "packages", "e2e", "simulation", "scripts"];
const FILES = ["package.json", "tsconfig.json"];
const SCOPE = "@holo";
const SEED = 11;
/** Of the repeatable mode, whose faults depend on the seed. */
const SEEDS = 5;
const PLAYERS = 10;
const GAMES = 40;
/** Of the repeatable mode, for each of its seeds. */
const REPEATABLE_GAMES = 10;
const PATIENCE_S = 30;
const TIMEOUT_MS = 240_000;

interface RunMutantsOptions {
  readonly only: string | undefined;
  /** Runs with the same options and without planted bugs instead: nothing may be noticed. */
  readonly isControl: boolean;
  readonly seed: number | undefined;
  /** In virtual time, with the faults that the seed chooses. */
  readonly isRepeatable: boolean;
}

/**
 * Runs the simulation once per planted bug. Returns the names of bugs without the finding that
 * names them, or of control runs that noticed something.
 */
export async function runMutants({
  only,
  isControl,
  seed,
  isRepeatable,
}: RunMutantsOptions): Promise<readonly string[]> {
  const copy = copySources();
  const forgetData = isRepeatable ? () => undefined : await prepareData();
  const wrong: string[] = [];
  try {
    const mutants = MUTANTS.filter(
      (mutant) =>
        (only === undefined || new RegExp(only).test(mutant.name)) && !(isRepeatable && mutant.isRepeatable === false),
    );
    for (const mutant of isControl ? findDistinctRuns(mutants) : mutants) {
      if (!isControl) plant(copy, mutant);
      const startedMs = performance.now();
      const output = await simulate(copy, mutant, seed ?? mutant.seed ?? SEED, isRepeatable);
      cpSync(path.join(ROOT, mutant.file), path.join(copy, mutant.file));
      const all = output.split("\n").filter((line) => line.startsWith("WRONG: "));
      const named = isControl ? undefined : all.find((line) => mutant.expects.test(line));
      const found = named ?? all[0];
      // A run that ended otherwise, such as with a server that did not start, proves nothing.
      const isComplete = /^seed \d+: /m.test(output);
      const isByOther = !isControl && named === undefined && found !== undefined;
      const missed = isComplete ? "nothing noticed" : `BROKEN RUN: ${output.slice(-300)}`;
      const what = `${isByOther ? "caught by something else: " : ""}${found?.slice(0, 160) ?? missed}`;
      process.stdout.write(`${Math.round((performance.now() - startedMs) / 1_000)} s  ${mutant.name}: ${what}\n`);
      if (isControl ? found !== undefined || !isComplete : named === undefined) wrong.push(mutant.name);
    }
  } finally {
    forgetData();
    rmSync(copy, { recursive: true, force: true });
  }
  return wrong;
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

async function simulate(
  copy: string,
  { faults = [], games: ownGames, payers = 0, servers = 1 }: Mutant,
  seed: number,
  isRepeatable: boolean,
): Promise<string> {
  const games = ownGames ?? (isRepeatable ? REPEATABLE_GAMES : GAMES);
  const repeatable = ["--repeatable", "--seeds", `${seed}-${seed + SEEDS - 1}`, "--games", games, "--players", PLAYERS];
  const args = [
    "--seed",
    seed,
    "--games",
    games,
    "--players",
    PLAYERS,
    "--faults",
    faults.join(),
    "--hasty",
    "--payers",
    payers,
    "--servers",
    servers,
    "--patience",
    PATIENCE_S,
  ];
  const command = [path.join(copy, "simulation", "simulate.ts"), ...(isRepeatable ? repeatable : args).map(String)];
  const child = spawn(process.execPath, command, {
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
  return output;
}

function findDistinctRuns(mutants: readonly Mutant[]): readonly Mutant[] {
  return [
    ...new Map(
      mutants.map((mutant) => [
        `${mutant.faults} ${mutant.games} ${mutant.payers} ${mutant.seed} ${mutant.servers}`,
        mutant,
      ]),
    ).values(),
  ];
}
